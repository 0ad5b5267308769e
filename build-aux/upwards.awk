# SPDX-License-Identifier: BSD-3-Clause
# upwards.awk - calls of object files against an order of folders, from the output of "nm -A -P".

# usage: awk [-v top=1] -f upwards.awk LAYERS -: LAYERS has one folder a line, from the bottom up;
# of a path the last folder, with top the first. One line of output for each call of a file in a
# lower folder to one in a higher: "FILE -> FILE: symbol".

FNR == 1 { reading++ }

reading == 1 {
	if ($1 != "" && $1 !~ /^#/)
		rank[$1] = ++nlayers
	next
}

{
	file = $1
	sub(/:$/, "", file)
	gsub(/\.libs\/|^\.\/|[a-z_]*_la-|\.o$/, "", file)
	if ($3 == "U" || $3 == "w") {
		needed[++nneeds] = $2
		by[nneeds] = file
	} else if ($3 ~ /[TDBRCVWGS]/ && !($2 in home)) {
		home[$2] = file
	}
}

# The rank of the folder a file is in; 0: it is in none of the list.
function rank_of(file)
{
	sub(/\/[^\/]*$/, "", file)
	sub(top ? /\/.*/ : /.*\//, "", file)
	return rank[file] + 0
}

END {
	for (n = 1; n <= nneeds; n++) {
		from = by[n]
		to = home[needed[n]]
		if (to != "" && rank_of(from) && rank_of(from) < rank_of(to))
			print from " -> " to ": " needed[n]
	}
}
