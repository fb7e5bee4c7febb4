/* SPDX-License-Identifier: Apache-2.0 */
/* Where the token of OAUTHBEARER comes from. */
#include "io/sasl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/str.h"
#include "core/client_config.h"
#include "io/clock.h"
#include "io/slurp.h"

enum { UNSECURED_LIFETIME_S = 3600, END_WAIT_MS = 2000, END_STEP_MS = 5 };

/* ---- a command --------------------------------------------------------------------------- */

static pid_t run_shell(const char *line, int out)
{
	pid_t pid = fork();
	sigset_t none;
	int null;

	if (pid != 0)
		return pid;
	/* A group of its own, so that what it starts can be ended with it. Its complaints would write over the screen. */
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	null = open("/dev/null", O_RDWR);
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(127);
}

/* Up to the end; false when it takes too long or is too much. */
static bool read_out(int fd, struct secret *out, struct err *err)
{
	mono_ms begin = clock_mono();
	char chunk[1024];
	ssize_t n = -1;

	while (out->n <= SASL_JWT_MAX_BYTES) {
		dur_ms left = SASL_COMMAND_WAIT_MS - mono_since(clock_mono(), begin);
		struct pollfd pfd = { .fd = fd, .events = POLLIN };

		if (left <= 0 || poll(&pfd, 1, (int)left) == 0)
			return err_set(err, ERR_TIMEOUT, "it has not ended within %d s", SASL_COMMAND_WAIT_MS / 1000);
		n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		secret_putn(out, chunk, (size_t)n);
	}
	explicit_bzero(chunk, sizeof(chunk));
	if (n > 0)
		return err_set(err, ERR_LIMIT, "it prints more than %d bytes", SASL_JWT_MAX_BYTES);
	return n == 0 || err_set(err, ERR_IO, "what it prints can't be read");
}

static bool check_status(int status, struct err *err)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	return WIFEXITED(status) ? err_set(err, ERR_IO, "it ended with %d", WEXITSTATUS(status)) :
				   err_set(err, ERR_IO, "it was ended by signal %d", WTERMSIG(status));
}

/* Its output is closed, so it is about to end. */
static bool ends_by_itself(pid_t pid, int *status)
{
	mono_ms begin = clock_mono();
	pid_t rc;

	while ((rc = waitpid(pid, status, WNOHANG)) != pid) {
		if ((rc < 0 && errno != EINTR) || mono_since(clock_mono(), begin) >= END_WAIT_MS)
			return false;
		(void)poll(NULL, 0, END_STEP_MS);
	}
	return true;
}

static bool run_command(const struct secret *command, struct secret *out, struct err *err)
{
	int fds[2], status = 0;
	pid_t pid;
	bool is_ok;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return err_set(err, ERR_IO, "no descriptor is left for it");
	pid = run_shell(secret_reveal(command), fds[1]);
	close(fds[1]);
	is_ok = pid > 0 ? read_out(fds[0], out, err) : err_set(err, ERR_IO, "it can't be started");
	close(fds[0]);
	if (is_ok && ends_by_itself(pid, &status))
		return check_status(status, err);
	if (is_ok)
		err_set(err, ERR_TIMEOUT, "it has closed its output and has not ended within %d s", END_WAIT_MS / 1000);
	if (pid > 0) {
		kill(-pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	return false;
}

/* ---- a token that nobody signs ---------------------------------------------------------------- */

/* Base64 for URLs, without padding (RFC 4648 section 5). */
static void put_base64(struct secret *out, const char *s, size_t n)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

	for (size_t i = 0; i < n; i += 3) {
		uint32_t v = (uint32_t)(unsigned char)s[i] << 16;
		size_t left = n - i;

		v |= left > 1 ? (uint32_t)(unsigned char)s[i + 1] << 8 : 0;
		v |= left > 2 ? (uint32_t)(unsigned char)s[i + 2] : 0;
		for (size_t k = 0; k <= (left > 2 ? 3 : left); k++)
			secret_putc(out, letters[v >> (18 - 6 * k) & 63]);
	}
}

/* As OAuthBearerUnsecuredLoginCallbackHandler makes it: {"alg":"none"}, no signature. */
static void make_unsecured(const char *subject, wall_ms now, struct secret *out)
{
	json_t *claims = json_object();
	struct strbuf text;

	json_put(claims, "sub", json_text(subject));
	json_put(claims, "iat", json_integer(now.ms / 1000));
	json_put(claims, "exp", json_integer(now.ms / 1000 + UNSECURED_LIFETIME_S));
	strbuf_init(&text);
	json_write(&text, claims);
	put_base64(out, "{\"alg\":\"none\"}", 14);
	secret_putc(out, '.');
	put_base64(out, text.s, text.len);
	secret_putc(out, '.');
	strbuf_fini(&text);
	json_decref(claims);
}

/* ---- the whole --------------------------------------------------------------------------------- */

static bool fetch(const struct client_login *how, wall_ms now, struct secret *out, struct err *err)
{
	if (how->token_file)
		return slurp_file(how->token_file, SASL_JWT_MAX_BYTES, out, NULL, err);
	if (secret_is_set(&how->token_command))
		return run_command(&how->token_command, out, err) || err_wrap(err, "sasl.oauthbearer.token.command");
	make_unsecured(how->unsecured_subject ? how->unsecured_subject : "", now, out);
	return true;
}

/* Without blanks round it; b64token of RFC 6750 has none within, and \x01 would end the field. */
static bool trim(struct secret *token, struct err *err)
{
	struct secret trimmed;
	const char *s = secret_reveal(token);
	size_t n;

	s += strspn(s, " \t\r\n");
	n = strcspn(s, " \t\r\n");
	if (n == 0)
		return err_set(err, ERR_FORMAT, "it gives no token");
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] <= ' ' || (unsigned char)s[i] >= 0x7f)
			return err_set(err, ERR_FORMAT, "what it gives is no token: a byte that none may have");
	if (s[n + strspn(s + n, " \t\r\n")] != '\0')
		return err_set(err, ERR_FORMAT, "what it gives is no token: several words");
	secret_init(&trimmed);
	secret_setn(&trimmed, s, n);
	secret_move(token, &trimmed);
	return true;
}

bool sasl_token_get(const struct client_login *how, wall_ms now, struct secret *out, struct err *err)
{
	const char *from = how->token_file ? how->token_file : "sasl.oauthbearer.token.command";
	bool is_ok;

	secret_set(out, "");
	is_ok = fetch(how, now, out, err) && (trim(out, err) || err_wrap(err, "%s", from));
	if (!is_ok)
		secret_fini(out);
	return is_ok;
}
