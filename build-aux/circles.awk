# SPDX-License-Identifier: BSD-3-Clause
# circles.awk - object files that need each other in a circle, from what "nm -A -P" says of them.

# One line for each circle: how many files, and which. A source that is compiled for two libraries
# is one file; a symbol that two files define belongs to the first. The circles are the strongly
# connected components of the graph of needs, by Kosaraju's two searches: those that a search of the
# reversed graph reaches, in the order in which the first one ended.

{
	file = $1
	sub(/:$/, "", file)
	gsub(/\.libs\/|^\.\/|[a-z_]*_la-|\.o$/, "", file)
	if (!(file in known)) {
		known[file] = 1
		files[++nfiles] = file
	}
	if ($3 == "U" || $3 == "w") {
		needed[++nneeds] = $2
		by[nneeds] = file
	} else if ($3 ~ /[TDBRCVWGS]/ && !($2 in home)) {
		home[$2] = file
	}
}

# Arrows are numbered; those that leave a file are a chain from first[file].
function arrow(from, to)
{
	if (from == to || seen[from, to]++)
		return
	narrows++
	head[narrows] = to
	chain[narrows] = first[from]
	first[from] = narrows
	tail[narrows] = from
	reversed_chain[narrows] = reversed_first[to]
	reversed_first[to] = narrows
}

function search(file, i)
{
	visited[file] = 1
	for (i = first[file]; i; i = chain[i])
		if (!(head[i] in visited))
			search(head[i])
	ended[++nended] = file
}

function collect(file, i)
{
	visited[file] = 2
	circle[++size] = file
	for (i = reversed_first[file]; i; i = reversed_chain[i])
		if (visited[tail[i]] == 1)
			collect(tail[i])
}

END {
	for (n = 1; n <= nneeds; n++)
		if (needed[n] in home)
			arrow(by[n], home[needed[n]])
	for (n = 1; n <= nfiles; n++)
		if (!(files[n] in visited))
			search(files[n])
	for (n = nended; n > 0; n--) {
		if (visited[ended[n]] != 1)
			continue
		size = 0
		collect(ended[n])
		if (size < 2)
			continue
		line = size
		for (i = 1; i <= size; i++)
			line = line " " circle[i]
		print line
	}
}
