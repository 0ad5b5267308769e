#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# site.sh - makes the site: README, documents, manual pages, benchmarks and examples as HTML.

#	site.sh SOURCES BUILD INTO
#
# Needs cmark-gfm and mandoc. The pages refer to each other alone, so INTO can be anywhere.

set -e
export LC_ALL=C
sources=$1 build=$2 into=$3
here=$sources/site

fail()
{
	echo "site: $*" >&2
	exit 1
}

for tool in cmark-gfm mandoc; do
	command -v $tool >/dev/null || fail "no $tool here; it is a package of that name"
done
test -x "$build/site/sitepage" || fail "no $build/site/sitepage: make"
rm -rf "$into.new"
mkdir -p "$into.new"
work=$into.new/work
mkdir "$work"

# ---- Which pages there are ---------------------------------------------------------------------

cd "$sources"
documents=$(ls ./*.md doc/*.md bench/*.md bench/papers/README.md ./*/README.md | sed 's,^\./,,' |
	sort -u)
manuals=$(grep -L '^\.so ' man/*.[1-9] | sed 's,^man/,,')
pictures=$(ls doc/*.svg bench/papers/stored/*.html 2>/dev/null || true)

# linked: files and folders of the tree that documents have links to
linked()
{
	for document in $documents; do
		grep -oE '\]\([^)# :]+[)#]' "$document" | sed 's/^](//; s/[)#]$//' |
			(cd "./$(dirname "$document")" &&
				xargs -r realpath -m --relative-to="$sources")
	done | grep -v '^\.\./' | sort -u | while read -r path; do
		if test -e "$path"; then echo "$path"; fi
	done
}

# files_of: of these the files, and the files of the folders
files_of()
{
	while read -r path; do
		if test -d "$path"; then
			find "$path" -maxdepth 1 -type f
		else
			echo "$path"
		fi
	done | grep -vE '\.(md|html|svg|o|lo|in)$|/Makefile[^/]*$|^man/' | sort -u
}

linked >"$work/linked"
listings=$(files_of <"$work/linked" | xargs -r grep -lI .)
folders=$(while read -r path; do
	if test -d "$path"; then echo "$path"; fi
done <"$work/linked")

# page_of DOCUMENT
page_of()
{
	case $1 in
	README.md) echo index.html ;;
	*) echo "${1%.md}.html" ;;
	esac
}

# An alias is the page that it names.
awk '/^\.so / { other[FILENAME] = substr($2, 6) }
	!(FILENAME in other) { other[FILENAME] = substr(FILENAME, 5) }
	END { for (file in other) printf "%s\tman/%s.html\n", file, other[file] }' \
	man/*.[1-9] >"$work/pages"
printf 'man/bsp.7\tman/bsp.7.html\n' >>"$work/pages"
for document in $documents; do
	printf '%s\t%s\n' "$document" "$(page_of "$document")"
done >>"$work/pages"
for file in $listings; do
	printf '%s\t%s.html\n' "$file" "$file"
done >>"$work/pages"
for folder in $folders; do
	printf '%s\t%s/index.html\n' "$folder" "$folder"
done >>"$work/pages"
for picture in $pictures; do
	printf '%s\t%s\n' "$picture" "$picture"
done >>"$work/pages"

cat >"$work/navigation" <<'END'
index.html	bsp
doc/tutorial.html	Tutorial
doc/mpi.html	From MPI
examples/index.html	Examples
man/index.html	Manual
doc/collectives.html	Collectives
doc/goal.html	Schedules
doc/installing.html	Installing
doc/cluster.html	Clusters
doc/porting.html	Porting
bench/README.html	Benchmarks
doc/papers.html	Papers
doc/gauge.html	Networks
doc/design.html	Design
SECURITY.html	Security
CONTRIBUTING.html	Contributing
CHANGELOG.html	Changes
END

# ---- The pages -----------------------------------------------------------------------------------

# escaped: text as HTML
escaped()
{
	sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
}

# place_of PAGE: sets $entry, the entry of the navigation that it belongs to, and $root, the way
# from it to the top
place_of()
{
	case $1 in
	man/*) entry=man/index.html ;;
	bench/*) entry=bench/README.html ;;
	examples/*) entry=examples/index.html ;;
	*) entry=$1 ;;
	esac
	root=
	rest=$1
	while test "${rest#*/}" != "$rest"; do
		rest=${rest#*/}
		root=../$root
	done
}

# put_page FROM PAGE TITLE: the page of the document that comes in, which is HTML
put_page()
{
	place_of "$2"
	case $2 in
	*/*) test -d "$into.new/${2%/*}" || mkdir -p "$into.new/${2%/*}" ;;
	esac
	awk -v from="$1" -v to="$2" -f "$here/links.awk" "$work/pages" - |
		"$build/site/sitepage" "$here/site.css" "$work/navigation" "$root" "$entry" "$3" \
			>"$into.new/$2"
}

put_documents()
{
	for document in $documents; do
		cmark-gfm -e table -e autolink "$document" >"$work/document"
		title=$(sed -n '/^<h1>/{s,<[^>]*>,,g; s/&quot;/"/g; s/&lt;/</g; s/&gt;/>/g
			s/&amp;/\&/g; p; q}' "$work/document")
		put_page "$document" "$(page_of "$document")" "${title:-$document}" \
			<"$work/document"
	done
}

put_manuals()
{
	for manual in $manuals bsp.7; do
		file=man/$manual
		test -e "$file" || file=$build/$file
		mandoc -T html -O fragment,man=%N.%S "$file" |
			put_page "man/$manual" "man/$manual.html" "${manual%.*}(${manual##*.})"
	done
}

put_listings()
{
	for file in $listings; do
		{
			printf '<pre><code>'
			escaped <"$file"
			echo '</code></pre>'
		} | put_page "$file" "$file.html" "$file"
	done
}

# put_folder FOLDER: its README, if it is text, and its files
put_folder()
{
	{
		if test -f "$1/README"; then
			echo '<pre>'
			sed 1d "$1/README" | escaped
			echo '</pre>'
		fi
		echo '<ul>'
		for file in $listings; do
			case $file in
			"$1"/*/*) ;;
			"$1"/*)
				name=${file##*/}
				printf '<li><a href="%s">%s</a></li>\n' "$name" "$name" ;;
			esac
		done
		echo '</ul>'
	} | put_page "$1/README" "$1/index.html" "$1"
}

# section_of NUMBER TITLE: the manual pages of it, with a line of each
section_of()
{
	files=$(for manual in $manuals; do
		case $manual in
		*."$1") echo "man/$manual" ;;
		esac
	done)
	test "$1" != 7 || files="$files $build/man/bsp.7"
	printf '<h2>%s</h2>\n<dl>\n' "$2"
	# shellcheck disable=SC2086
	awk '
		FNR == 1 { names = "" }
		/^\.Nm / { names = names (names == "" ? "" : ", ") $2 }
		/^\.Nd / {
			sub(/^\.Nd /, "")
			gsub(/\\&/, "")
			gsub(/&/, "\\&amp;")
			gsub(/</, "\\&lt;")
			page = FILENAME
			sub(/.*\//, "", page)
			printf "<dt><a href=\"%s\">%s</a></dt><dd>%s</dd>\n", page, names, $0
			nextfile
		}' $files
	echo '</dl>'
}

put_index_of_manuals()
{
	{
		section_of 1 Commands
		section_of 7 Overviews
		section_of 3 Calls
		section_of 5 Files
		section_of 4 Devices
	} | put_page man/index man/index.html "Manual pages"
}

put_documents
put_manuals
put_index_of_manuals
put_listings
for folder in $folders; do
	put_folder "$folder"
done
for picture in $pictures; do
	mkdir -p "$into.new/$(dirname "$picture")"
	cp "$picture" "$into.new/$picture"
done
rm -rf "$work" "$into"
mv "$into.new" "$into"
echo "site: $into/index.html"
