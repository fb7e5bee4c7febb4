/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Consumer groups: listed by every broker (rd_kafka_ListConsumerGroups asks all), then of each all committed offsets (OffsetFetch without topics, from Kafka
 * 0.10.2 on), for a request that names the partitions would be larger than the answer where many topics are chosen.
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "io/clock.h"
#include "io/rdk_parts.h"

enum { REQUEST_TIMEOUT_MS = 4000, TELL_EVERY_MS = 250, PROBE_MARK = 1, FIRST_MARK = 2 };

/* No group of anybody's has this name; ACLs that allow all groups allow it. */
static const char probe_name[] = "__kafops.may-see-groups";

/* ---- asking ------------------------------------------------------------------------------- */

static rd_kafka_AdminOptions_t *options_new(struct rdk *rd, rd_kafka_admin_op_t op, size_t mark)
{
	rd_kafka_AdminOptions_t *opt = rd_kafka_AdminOptions_new(rd->rk, op);
	dur_ms left = rd->groups.until.ms - clock_mono().ms + RDK_STEP_MS, most = left < REQUEST_TIMEOUT_MS ? left : REQUEST_TIMEOUT_MS;
	char text[RDK_TEXT_MAX];

	(void)rd_kafka_AdminOptions_set_request_timeout(opt, (int)(most > 1 ? most : 1), text, sizeof(text));
	rd_kafka_AdminOptions_set_opaque(opt, (void *)(uintptr_t)mark);
	return opt;
}

static void ask_list(struct rdk *rd)
{
	rd_kafka_AdminOptions_t *opt = options_new(rd, RD_KAFKA_ADMIN_OP_LISTCONSUMERGROUPS, 0);

	rd_kafka_ListConsumerGroups(rd->rk, opt, rd->groups.queue);
	rd_kafka_AdminOptions_destroy(opt);
	rd->groups.is_list_out = true;
}

static void ask_offsets(struct rdk *rd, const char *group, size_t mark)
{
	rd_kafka_AdminOptions_t *opt = options_new(rd, RD_KAFKA_ADMIN_OP_LISTCONSUMERGROUPOFFSETS, mark);
	rd_kafka_ListConsumerGroupOffsets_t *of = rd_kafka_ListConsumerGroupOffsets_new(group, NULL);

	rd_kafka_ListConsumerGroupOffsets(rd->rk, &of, 1, opt, rd->groups.queue);
	rd_kafka_ListConsumerGroupOffsets_destroy(of);
	rd_kafka_AdminOptions_destroy(opt);
	rd->groups.n_out++;
}

static void ask_more(struct rdk *rd)
{
	struct rdk_groups *gr = &rd->groups;

	for (; gr->n_asked < gr->n_names && gr->n_out < RDK_IN_FLIGHT; gr->n_asked++)
		ask_offsets(rd, gr->names[gr->n_asked], gr->n_asked + FIRST_MARK);
}

void rdk_groups_begin(struct rdk *rd)
{
	struct rdk_groups *gr = &rd->groups;

	err_init(&gr->list);
	err_init(&gr->probe);
	err_init(&gr->refused);
	if (!rd->has_offsets) {
		gr->is_listed = true;
		return;
	}
	gr->until.ms = clock_mono().ms + rd->times.groups_ms;
	gr->queue = rd_kafka_queue_new(rd->rk);
	ask_list(rd);
	ask_offsets(rd, probe_name, PROBE_MARK);
	gr->is_probe_out = true;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* That nobody answered says less than what is known of a connection. */
static void note(const struct rdk *rd, struct err *err, rd_kafka_resp_err_t code, const char *text)
{
	bool is_silence = code == RD_KAFKA_RESP_ERR__TIMED_OUT || code == RD_KAFKA_RESP_ERR__TRANSPORT || code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN;

	if (err->code != ERR_NONE)
		return;
	if (is_silence && rd->trouble.code != ERR_NONE)
		err_set(err, ERR_NET, "%s", rd->trouble.text);
	else
		err_set(err, ERR_REFUSED, "%s", text != NULL && *text != '\0' ? text : rd_kafka_err2str(code));
}

static int name_cmp(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Two brokers may list one group while its coordinator moves. */
static void sort_names(struct rdk_groups *gr)
{
	size_t n = 0;

	if (gr->n_names > 1)
		qsort(gr->names, gr->n_names, sizeof(*gr->names), name_cmp);
	for (size_t i = 0; i < gr->n_names; i++)
		if (n > 0 && strcmp(gr->names[n - 1], gr->names[i]) == 0)
			mem_free(&gr->names[i]);
		else
			gr->names[n++] = gr->names[i];
	gr->n_names = n;
}

static void take_list(struct rdk *rd, rd_kafka_event_t *ev)
{
	struct rdk_groups *gr = &rd->groups;
	const rd_kafka_ListConsumerGroups_result_t *result = rd_kafka_event_ListConsumerGroups_result(ev);
	const rd_kafka_ConsumerGroupListing_t **v;
	const rd_kafka_error_t **errors;
	size_t n, n_errors;

	gr->is_list_out = false;
	if (rd_kafka_event_error(ev) != RD_KAFKA_RESP_ERR_NO_ERROR || result == NULL) {
		note(rd, &gr->list, rd_kafka_event_error(ev), rd_kafka_event_error_string(ev));
		return;
	}
	v = rd_kafka_ListConsumerGroups_result_valid(result, &n);
	errors = rd_kafka_ListConsumerGroups_result_errors(result, &n_errors);
	if (n_errors > 0)
		note(rd, &gr->list, rd_kafka_error_code(errors[0]), rd_kafka_error_string(errors[0]));
	gr->names = mem_array(n + 1, sizeof(*gr->names));
	gr->has_offsets = mem_array(n + 1, sizeof(*gr->has_offsets));
	for (size_t i = 0; i < n; i++)
		gr->names[gr->n_names++] = mem_strdup(rd_kafka_ConsumerGroupListing_group_id(v[i]));
	sort_names(gr);
	gr->is_listed = n > 0 || n_errors == 0;
}

static bool has_any(const struct rdk *rd, const rd_kafka_topic_partition_list_t *list)
{
	for (int i = 0; list != NULL && i < list->cnt; i++)
		if (list->elems[i].err == RD_KAFKA_RESP_ERR_NO_ERROR && list->elems[i].offset >= 0 && map_find(rd->topics, list->elems[i].topic) != NULL)
			return true;
	return false;
}

static rd_kafka_resp_err_t group_error(rd_kafka_event_t *ev, const rd_kafka_group_result_t *gr, const char **text)
{
	const rd_kafka_error_t *error = gr != NULL ? rd_kafka_group_result_error(gr) : NULL;
	rd_kafka_resp_err_t code = rd_kafka_event_error(ev);

	*text = code != RD_KAFKA_RESP_ERR_NO_ERROR ? rd_kafka_event_error_string(ev) : error != NULL ? rd_kafka_error_string(error) : NULL;
	if (code == RD_KAFKA_RESP_ERR_NO_ERROR && error != NULL)
		code = rd_kafka_error_code(error);
	return code == RD_KAFKA_RESP_ERR_NO_ERROR && gr == NULL ? RD_KAFKA_RESP_ERR_UNKNOWN : code;
}

static void take_offsets(struct rdk *rd, rd_kafka_event_t *ev)
{
	const rd_kafka_ListConsumerGroupOffsets_result_t *result = rd_kafka_event_ListConsumerGroupOffsets_result(ev);
	size_t n = 0, mark = (size_t)(uintptr_t)rd_kafka_event_opaque(ev);
	const rd_kafka_group_result_t **v = result != NULL ? rd_kafka_ListConsumerGroupOffsets_result_groups(result, &n) : NULL;
	struct rdk_groups *gr = &rd->groups;
	const char *text;
	rd_kafka_resp_err_t code = group_error(ev, n > 0 ? v[0] : NULL, &text);

	gr->n_out--;
	if (mark == PROBE_MARK) {
		gr->is_probe_out = false;
		if (code == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED)
			note(rd, &gr->probe, code, rd_kafka_err2str(code));
	} else if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
		note(rd, &gr->refused, code, text);
	} else if (mark - FIRST_MARK < gr->n_names) {
		gr->n_seen++;
		gr->has_offsets[mark - FIRST_MARK] = has_any(rd, rd_kafka_group_result_partitions(v[0]));
	}
}

static void take(struct rdk *rd, rd_kafka_event_t *ev)
{
	if (rd_kafka_event_type(ev) == RD_KAFKA_EVENT_LISTCONSUMERGROUPS_RESULT)
		take_list(rd, ev);
	else if (rd_kafka_event_type(ev) == RD_KAFKA_EVENT_LISTCONSUMERGROUPOFFSETS_RESULT)
		take_offsets(rd, ev);
	rd_kafka_event_destroy(ev);
}

/* ---- turns ---------------------------------------------------------------------------------------- */

bool rdk_groups_are_over(const struct rdk *rd)
{
	const struct rdk_groups *gr = &rd->groups;

	if (!rd->ap.groups_pending || gr->queue == NULL)
		return true;
	if (clock_mono().ms >= gr->until.ms)
		return true;
	return !gr->is_list_out && !gr->is_probe_out && gr->n_out == 0 && gr->n_asked == gr->n_names;
}

static void tell_progress(struct rdk *rd)
{
	mono_ms now = clock_mono();

	if (!rd->ap.groups_pending || !rd->groups.is_listed || mono_since(now, rd->groups.told) < TELL_EVERY_MS)
		return;
	rd->groups.told = now;
	rd->ap.groups_seen = rd->groups.n_seen;
	rd->ap.groups_total = rd->groups.n_names;
	rdk_tell(rd);
}

void rdk_groups_turn(struct rdk *rd, dur_ms wait)
{
	rd_kafka_event_t *ev;

	if (rd->groups.queue == NULL || !rd->ap.groups_pending) {
		rd_kafka_poll(rd->rk, (int)wait);
		return;
	}
	ev = rd_kafka_queue_poll(rd->groups.queue, (int)wait);
	rdk_serve(rd);
	for (; ev != NULL; ev = rd_kafka_queue_poll(rd->groups.queue, 0)) {
		take(rd, ev);
		ask_more(rd);
	}
	if (rdk_groups_are_over(rd)) {
		rdk_groups_judge(rd);
		rdk_tell(rd);
	} else {
		tell_progress(rd);
	}
}

/* ---- what is known ------------------------------------------------------------------------------------ */

static const char *why_not(const struct rdk *rd)
{
	const struct rdk_groups *gr = &rd->groups;

	if (gr->list.code != ERR_NONE)
		return gr->list.text;
	if (gr->refused.code != ERR_NONE)
		return gr->refused.text;
	return rd->trouble.code != ERR_NONE ? rd->trouble.text : "brokers did not answer in time";
}

/* Why there may be more; NULL: there are none. */
static const char *why_more(const struct rdk_groups *gr)
{
	if (gr->probe.code != ERR_NONE)
		return "this user may not see all groups";
	if (gr->list.code != ERR_NONE)
		return gr->list.text;
	return gr->refused.code != ERR_NONE ? gr->refused.text : NULL;
}

void rdk_groups_judge(struct rdk *rd)
{
	struct rdk_groups *gr = &rd->groups;
	struct appraisal *ap = &rd->ap;
	const char *why = why_more(gr);

	if (!ap->groups_pending || rd->fatal.code != ERR_NONE)
		return;
	ap->groups_pending = false;
	ap->groups_seen = gr->n_seen;
	ap->groups_total = gr->n_names;
	for (size_t i = 0; i < gr->n_names; i++)
		if (gr->has_offsets[i])
			appraisal_add_group(ap, gr->names[i]);
	/* Nothing was seen of any: a list alone tells nothing. */
	ap->groups_known = gr->is_listed && (gr->n_seen > 0 || (gr->n_names == 0 && gr->probe.code == ERR_NONE));
	if (ap->groups_known)
		ap->why_groups = why != NULL ? mem_strdup(why) : NULL;
	else
		ap->why_groups = mem_strdup(gr->probe.code != ERR_NONE ? "this user may not see them (group authorization failed: it needs Describe on groups)" : why_not(rd));
}

void rdk_groups_fini(struct rdk *rd)
{
	struct rdk_groups *gr = &rd->groups;

	if (gr->queue != NULL)
		rd_kafka_queue_destroy(gr->queue);
	gr->queue = NULL;
	for (size_t i = 0; i < gr->n_names; i++)
		mem_free(&gr->names[i]);
	gr->n_names = 0;
	mem_free(&gr->names);
	mem_free(&gr->has_offsets);
}
