/* SPDX-License-Identifier: Apache-2.0 */
#include "io/state_dir.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"

bool state_dir_path(char *out, size_t size, const char *name, struct err *err)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	bool fits;

	if (state != NULL && state[0] == '/')
		fits = str_printf(out, size, "%s/kafops/%s", state, name);
	else if (home != NULL && home[0] == '/')
		fits = str_printf(out, size, "%s/.local/state/kafops/%s", home, name);
	else
		return err_set(err, ERR_USAGE, "neither XDG_STATE_HOME nor HOME names a folder");
	return fits || err_set(err, ERR_USAGE, "its path is too long: set XDG_STATE_HOME to a shorter one");
}
