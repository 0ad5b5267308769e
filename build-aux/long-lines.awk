# SPDX-License-Identifier: BSD-3-Clause
# long-lines.awk - prints FILE:LINE for each line over 100 columns, with tabs of 8.

# usage: awk -f long-lines.awk FILE...
# In Markdown a row of a table is one line, however long it is, and so is an address.

FILENAME ~ /\.md$/ && (/^[ \t]*\|/ || /https?:\/\/[^ ]+\)?[.,;]?$/) { next }

length($0) > 30 {
	line = $0
	while ((at = index(line, "\t")) > 0)
		line = substr(line, 1, at - 1) substr("        ", 1, 8 - (at - 1) % 8) \
			substr(line, at + 1)
	if (length(line) > 100)
		print FILENAME ":" FNR
}
