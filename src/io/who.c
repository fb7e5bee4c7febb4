/* SPDX-License-Identifier: Apache-2.0 */
#include "io/who.h"

#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "core/record.h"

enum { NAME_MAX_BYTES = 256 };

static char *login_name(uid_t uid)
{
	char name[NAME_MAX_BYTES];
	const struct passwd *pw;

	if (getlogin_r(name, sizeof(name)) == 0 && name[0] != '\0')
		return mem_strdup(name);
	pw = getpwuid(uid);
	return pw != NULL ? mem_strdup(pw->pw_name) : NULL;
}

static char *host_name(void)
{
	char name[NAME_MAX_BYTES];

	if (gethostname(name, sizeof(name)) != 0)
		return NULL;
	name[sizeof(name) - 1] = '\0';
	return mem_strdup(name);
}

/* The address, the first word of "192.0.2.7 51234 22". */
static char *ssh_client(void)
{
	const char *s = getenv("SSH_CLIENT");

	if (s == NULL || *s == '\0')
		s = getenv("SSH_CONNECTION");
	if (s == NULL || *s == '\0')
		return NULL;
	return mem_strndup(s, strnlen(s, NAME_MAX_BYTES) < strcspn(s, " ") ? NAME_MAX_BYTES : strcspn(s, " "));
}

static char *tty_name(void)
{
	char name[NAME_MAX_BYTES];

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (ttyname_r(fd, name, sizeof(name)) == 0)
			return mem_strdup(name);
	return NULL;
}

bool who_is_alive(const struct record_who *who)
{
	char name[NAME_MAX_BYTES];

	if (who->pid <= 0 || who->pid > INT32_MAX || who->pid == (int64_t)getpid() || who->host == NULL || gethostname(name, sizeof(name)) != 0)
		return false;
	name[sizeof(name) - 1] = '\0';
	return strcmp(name, who->host) == 0 && (kill((pid_t)who->pid, 0) == 0 || errno == EPERM);
}

void who_is(struct record_who *out)
{
	*out = (struct record_who){
		.login = login_name(getuid()), .uid = (int64_t)getuid(), .host = host_name(), .ssh_client = ssh_client(), .tty = tty_name(),
		.pid = (int64_t)getpid(), .version = mem_strdup(PACKAGE_STRING),
	};
}
