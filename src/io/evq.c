/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two lists: `shared`, which producers append to under the lock, and `mine`,
 * which only the consumer touches. Taking swaps the whole shared list out.
 *
 * The descriptor is readable exactly while something is queued (or a bare wake
 * is pending): it is written under the lock by whoever makes the shared list
 * non-empty, and read back under the lock by the take that leaves nothing. With evq_gather some may be queued
 * for which it isn't yet.
 */
#include "io/evq.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/event.h"

enum { EVQ_MAGIC = 0x65767131, EVQ_FULL = 50000 };

struct evlist {
	struct event *head, *tail;
};

struct evq {
	uint32_t magic;
	int fd;
	pthread_mutex_t lock;
	struct evlist shared; /* under the lock */
	size_t n_shared;      /* under the lock */
	uint64_t takes;       /* under the lock: times that there was something to take */
	bool is_raised;       /* under the lock: the descriptor is readable */
	size_t gather;        /* so many that tell no turn are worth a wake-up; set before there is a producer */
	struct evlist mine;   /* consumer's */
};

/* Of the many alike that come while a cluster is read: the next of another kind is not far. */
static bool is_one_of_many(const struct event *ev)
{
	return ev->kind == EV_PROGRESS || ev->kind == EV_TOPIC || ev->kind == EV_STATE || ev->kind == EV_TOPIC_CONFIG;
}

void evq_gather(struct evq *q, size_t n)
{
	assert(q->magic == EVQ_MAGIC);
	q->gather = n;
}

struct evq *evq_new(struct err *err)
{
	struct evq *q;
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (fd < 0) {
		err_set(err, ERR_IO, "no descriptor for the event queue: %s", strerror(errno));
		return NULL;
	}
	q = mem_zalloc(sizeof(*q));
	q->magic = EVQ_MAGIC;
	q->fd = fd;
	pthread_mutex_init(&q->lock, NULL);
	return q;
}

static void list_free(struct evlist *l)
{
	struct event *next;

	for (struct event *ev = l->head; ev != NULL; ev = next) {
		next = ev->next;
		event_free(&ev);
	}
	l->head = l->tail = NULL;
}

void evq_free(struct evq **pp)
{
	struct evq *q = *pp;

	if (q == NULL)
		return;
	assert(q->magic == EVQ_MAGIC);
	list_free(&q->mine);
	list_free(&q->shared);
	close(q->fd);
	pthread_mutex_destroy(&q->lock);
	q->magic = 0;
	mem_free(pp);
}

/* An eventfd of ours can't be full, nor can writing it be interrupted. */
static void raise_fd(struct evq *q)
{
	static const uint64_t one = 1;
	ssize_t n;

	if (q->is_raised)
		return;
	n = write(q->fd, &one, sizeof(one));
	assert(n == (ssize_t)sizeof(one));
	q->is_raised = true;
}

static void lower_fd(struct evq *q)
{
	uint64_t count;
	ssize_t n;

	if (!q->is_raised)
		return;
	n = read(q->fd, &count, sizeof(count));
	assert(n == (ssize_t)sizeof(count));
	q->is_raised = false;
}

void evq_push(struct evq *q, struct event *ev)
{
	assert(q->magic == EVQ_MAGIC);
	ev->next = NULL;
	pthread_mutex_lock(&q->lock);
	if (q->shared.tail != NULL)
		q->shared.tail->next = ev;
	else
		q->shared.head = ev;
	q->shared.tail = ev;
	q->n_shared++;
	if (q->n_shared >= q->gather || !is_one_of_many(ev))
		raise_fd(q);
	pthread_mutex_unlock(&q->lock);
}

bool evq_is_full(struct evq *q)
{
	bool is_full;

	assert(q->magic == EVQ_MAGIC);
	pthread_mutex_lock(&q->lock);
	is_full = q->n_shared >= EVQ_FULL;
	pthread_mutex_unlock(&q->lock);
	return is_full;
}

uint64_t evq_takes(struct evq *q, bool *has_some)
{
	uint64_t takes;

	assert(q->magic == EVQ_MAGIC);
	pthread_mutex_lock(&q->lock);
	takes = q->takes;
	*has_some = q->n_shared > 0;
	pthread_mutex_unlock(&q->lock);
	return takes;
}

void evq_wake(struct evq *q)
{
	assert(q->magic == EVQ_MAGIC);
	pthread_mutex_lock(&q->lock);
	raise_fd(q);
	pthread_mutex_unlock(&q->lock);
}

int evq_fd(const struct evq *q)
{
	return q->fd;
}

/* Appends all that is shared to the consumer's own list. */
static void swap_out(struct evq *q)
{
	pthread_mutex_lock(&q->lock);
	if (q->mine.tail != NULL)
		q->mine.tail->next = q->shared.head;
	else
		q->mine.head = q->shared.head;
	if (q->shared.tail != NULL)
		q->mine.tail = q->shared.tail;
	q->shared.head = q->shared.tail = NULL;
	q->takes += q->n_shared > 0;
	q->n_shared = 0;
	lower_fd(q);
	pthread_mutex_unlock(&q->lock);
}

struct event *evq_take(struct evq *q)
{
	struct event *head;

	assert(q->magic == EVQ_MAGIC);
	swap_out(q);
	head = q->mine.head;
	q->mine.head = q->mine.tail = NULL;
	return head;
}

struct event *evq_take_some(struct evq *q, size_t max)
{
	struct event *head, *last;

	assert(q->magic == EVQ_MAGIC && max > 0);
	swap_out(q);
	head = last = q->mine.head;
	if (head == NULL)
		return NULL;
	for (size_t i = 1; i < max && last->next != NULL; i++)
		last = last->next;
	q->mine.head = last->next;
	if (q->mine.head == NULL)
		q->mine.tail = NULL;
	else
		evq_wake(q); /* stays readable while more are left */
	last->next = NULL;
	return head;
}
