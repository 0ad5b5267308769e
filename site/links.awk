# SPDX-License-Identifier: BSD-3-Clause
# links.awk - of a document that cmark-gfm or mandoc has made HTML: links to other documents become
# links to their pages, headings get names, wide things frames in which they scroll.

#	awk -v from=doc/goal.md -v to=doc/goal.html -f links.awk PAGES DOCUMENT
#
# PAGES has a line for each page: the file of the tree, a tab, the page. A link to anything else
# that is not on the network is no link any more: its words stay.

# resolve(FOLDER, PATH): the path in the tree, without "." and ".."
function resolve(folder, path,    parts, n, i, out, depth, text)
{
	n = split((folder == "" ? "" : folder "/") path, parts, "/")
	for (i = 1; i <= n; i++) {
		if (parts[i] == "..")
			depth--
		else if (parts[i] != "." && parts[i] != "")
			out[++depth] = parts[i]
		if (depth < 0)
			return ""
	}
	for (i = 1; i <= depth; i++)
		text = text (i > 1 ? "/" : "") out[i]
	return text
}

# new_address(ADDRESS): as it is in the page, or "" if it leads nowhere
function new_address(address,    at, fragment, path)
{
	if (address ~ /^(https?:|mailto:|#)/)
		return address
	if (at = index(address, "#")) {
		fragment = substr(address, at)
		address = substr(address, 1, at - 1)
	}
	path = resolve(folder_of_from, address)
	return path in page ? up page[path] fragment : ""
}

# relinked(LINE): with links of the site; one that is taken out ends at the next </a>, which may be
# on a later line
function relinked(line,    out, tag, address, end)
{
	while (match(line, /<a [^>]*href="[^"]*"[^>]*>|<\/a>/)) {
		out = out substr(line, 1, RSTART - 1)
		tag = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		if (tag == "</a>") {
			out = out (taken_out ? "" : tag)
			taken_out = 0
			continue
		}
		match(tag, /href="[^"]*"/)
		address = new_address(substr(tag, RSTART + 6, RLENGTH - 7))
		taken_out = address == ""
		if (!taken_out)
			out = out substr(tag, 1, RSTART - 1) "href=\"" address "\"" \
				substr(tag, RSTART + RLENGTH)
	}
	return out line
}

# pictured(LINE): with the addresses of pictures
function pictured(line,    address)
{
	if (!match(line, /<img src="[^"]*"/))
		return line
	address = new_address(substr(line, RSTART + 10, RLENGTH - 11))
	return substr(line, 1, RSTART - 1) "<img src=\"" address "\"" substr(line, RSTART + RLENGTH)
}

# manual_links(LINE): "man bsp_put" becomes a link to that page
function manual_links(line,    out, name, i)
{
	while (match(line, /<code>man [a-z_]+[a-zA-Z_]*<\/code>/)) {
		name = substr(line, RSTART + 10, RLENGTH - 17)
		for (i = 1; i < 8 && !(("man/" name "." i) in page); i++)
			;
		out = out substr(line, 1, RSTART - 1) (i == 8 ? "" : "<a href=\"" up \
			page["man/" name "." i] "\">") substr(line, RSTART, RLENGTH) \
			(i == 8 ? "" : "</a>")
		line = substr(line, RSTART + RLENGTH)
	}
	return out line
}

# name_of(HEADING): as GitHub names it, which is what links in documents have
function name_of(heading,    name)
{
	name = heading
	gsub(/<[^>]*>|&[a-z]*;/, "", name)
	name = tolower(name)
	gsub(/[^a-z0-9 _-]/, "", name)
	gsub(/ /, "-", name)
	return seen[name]++ ? name "-" seen[name] - 1 : name
}

BEGIN {
	folder_of_from = from
	if (!sub(/\/[^\/]*$/, "", folder_of_from))
		folder_of_from = ""
	for (i = gsub(/\//, "/", to); i > 0; i--)
		up = up "../"
	FS = "\t"
}

NR == FNR { page[$1] = $2; next }

/^<!-- raw HTML omitted -->$/ { next }
/^<table class="(head|foot)">$/ { in_frame_of_mandoc = 1 }
in_frame_of_mandoc {
	if (/^<\/table>$/)
		in_frame_of_mandoc = 0
	next
}
/^<h1>.*<\/h1>$/ && !titled++ { next }	# the frame of the page has it
/^<h[1-6]>.*<\/h[1-6]>$/ {
	tag = substr($0, 2, 2)
	heading = substr($0, 5, length($0) - 9)
	printf "<%s id=\"%s\">%s</%s>\n", tag, name_of(heading), relinked(heading), tag
	next
}
{
	gsub(/<table/, "<div class=\"table scrolls\" tabindex=\"0\" role=\"region\" " \
		"aria-label=\"table\">&")
	gsub(/<\/table>/, "&</div>")
	gsub(/<pre/, "<pre tabindex=\"0\"")
}
/^<td/ && length($0) > 70 { sub(/<td/, "<td class=\"text\"") }
# mandoc writes a hyphen in the name of a section, and an underscore in references to it.
match($0, /class="S[hs]" id="[^"]*"/) {
	name = substr($0, RSTART + 15, RLENGTH - 16)
	gsub(/-/, "_", name)
	gsub(/(id="|href="#)[^"]*"/, "@&")
	gsub(/@id="[^"]*"/, "id=\"" name "\"")
	gsub(/@href="#[^"]*"/, "href=\"#" name "\"")
}
{ print manual_links(relinked(pictured($0))) }
