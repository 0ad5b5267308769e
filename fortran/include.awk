# SPDX-License-Identifier: BSD-3-Clause
# include.awk - interfaces of a module as text that a program in fixed or in free form includes.

#	awk -v only=REGEXP -v name=FILE -f include.awk MODULE...
#
# ONLY is for the names of the interfaces, or of the procedures in those that have none. A statement
# begins in column 7 and ends by column 72; where it is continued there is an ampersand in column
# 73, which fixed form does not see, and one in column 6, which free form passes over.

# put(STATEMENT)
function put(text,    at)
{
	text = "      " text
	while (length(text) > 72) {
		for (at = 72; substr(text, at, 1) !~ /[, ]/; at--)
			;
		printf "%-72s&\n", substr(text, 1, at)
		text = "     &" substr(text, at + 1)
	}
	print text
}

function put_interface(    i)
{
	for (i = 1; i <= n; i++)
		put(line[i])
}

BEGIN {
	print "! SPDX-" "License-Identifier: BSD-3-Clause"
	print "! " name " - calls of the Oxford toolset, made from module bsp; bsp_fortran(7)."
}

/^  integer, parameter :: BSP[A-Z]* = / && "bspinit" ~ only {
	sub(/^ */, "")
	put($0)
	next
}
/^  interface/ {
	inside = 1
	n = 0
	wanted = $2 != "" && $2 ~ only
}
inside {
	text = $0
	sub(/^ */, "", text)
	sub(/ *!.*/, "", text)
	sub(/import ::/, "use, intrinsic :: iso_c_binding, only:", text)
	if (n == 1 && match(text, /(function|subroutine) [a-z0-9A-Z_]*/)) {
		split(substr(text, RSTART, RLENGTH), word, " ")
		wanted = wanted || word[2] ~ only
	}
	if (text != "")
		line[++n] = text
}
/^  end interface/ {
	inside = 0
	if (wanted)
		put_interface()
}
