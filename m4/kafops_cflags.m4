# SPDX-License-Identifier: Apache-2.0
# KAFOPS_TRY_CFLAGS(VARIABLE, FLAGS): appends to VARIABLE each flag the compiler takes.
AC_DEFUN([KAFOPS_TRY_CFLAGS], [
$1=
for flag in m4_normalize([$2]); do
	AC_MSG_CHECKING([whether $CC accepts $flag])
	save_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS -Werror $flag"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
		[AC_MSG_RESULT([yes]); $1="$$1 $flag"],
		[AC_MSG_RESULT([no])])
	CFLAGS=$save_CFLAGS
done
])
