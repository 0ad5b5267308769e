/* SPDX-License-Identifier: BSD-3-Clause */
/* Call sites of every kind come out as they were packed, and damaged ones are unknown. */
#include "../lib/tap.h"

#include "bsplib/core/site.h"
#include "bsplib/core/state.h"

#include <stdio.h>
#include <string.h>

static const char file[] = "dir/prog.cc";
static const struct bspj_source source = { file, "int main()", 70000, 3 };
static struct bspj_source damaged;

static const char *as_source(const void *at)
{
	return (const char *)((uintptr_t)at | (uintptr_t)1 << 63);
}

static const char *as_line(const char *name, uintptr_t line)
{
	return (const char *)((uintptr_t)name | line << BSPJ_SITE_LINE_SHIFT | (uintptr_t)1 << 63);
}

static void travels(const char *site, const char *text, const char *what)
{
	int64_t packed = bspi_site_pack(site);

	ok(bspi_site_unpack(packed) == site, "%s comes back", what);
	is_str(text, bspi_site_text(site), "%s has its text", what);
	ok(bspi_site_text(site) == bspi_site_text(site), "%s keeps it", what);
}

static void is_unknown(const char *site, const char *what)
{
	ok(!bspi_site_unpack(bspi_site_pack(site)), "%s is unknown", what);
}

static bool is_narrow(const char *site)
{
	return bspi_site_pack(site) == (int32_t)bspi_site_pack(site);
}

/* A little beyond what is loaded, and far from it. */
static void without_a_site(void)
{
	const char *far = (const char *)(uintptr_t)0x1000;

	is_unknown(far, "a text where nothing is");
	is_unknown(as_source(far), "a record where nothing is");
	is_unknown(as_line(far, 12), "a name of a file where nothing is");
	is_unknown(as_source((const char *)&source + 2), "a record that is not aligned");
	is_unknown(as_source((const char *)0x1001), "an instruction where nothing is");
	damaged = (struct bspj_source){ far, far, 1, 1 };
	is_unknown(as_source(&damaged), "a record whose file is nowhere");
	is_unknown((const char *)INTPTR_MAX, "the last address");
	ok(!bspi_site_unpack(INT32_MIN), "none is unknown");
	ok(!bspi_site_unpack(INT64_MIN), "a text with bits above its address is unknown");
	is_str("an unknown place", bspi_site_text(NULL), "it has a text all the same");
}

/* Knows one line of this program, and of everything else nothing. */
static int find_source(const void *code, const char **found, unsigned int *line)
{
	*found = file;
	*line = 80000;
	return code == (const char *)((uintptr_t)is_narrow | 1);
}

static void in_the_code(void)
{
	const char *first = as_source((const void *)((uintptr_t)is_narrow | 1));
	const char *other = as_source((const void *)((uintptr_t)travels | 1));

	ok(is_narrow(first), "an instruction of the program fits 32 bits");
	bspj_find_sources_by(find_source);
	travels(first, "dir/prog.cc:80000", "an instruction");
	ok(bspi_site_unpack(bspi_site_pack(other)) == other, "one without a line comes back");
	ok(strstr(bspi_site_text(other), "call-sites-travel-or-are-unknown.t+0x"),
	   "its text is where it is in the program");
	bspj_find_sources_by(NULL);
}

/* As if another process had named a file that this one has not. */
static const char *named_elsewhere(struct bspj_status_table *table, const char *name, unsigned line)
{
	struct bspj_file *row = &table->file[BSPJ_FILES - 1];
	const char *known = bspj_site_of_line("a", line), *site = known + ((uintptr_t)7 << 30);

	row->claimed = (uintptr_t)site >> 21 & (((uint64_t)1 << 40) - 1);
	strcpy(row->name, name);
	row->written = true;
	return site;
}

static bool has_name(const struct bspj_status_table *table, const char *name)
{
	for (int i = 0; i < BSPJ_FILES; i++)
		if (strcmp(table->file[i].name, name) == 0)
			return table->file[i].written;
	return false;
}

/* They are the same wherever the program lies. */
static void numbers(void)
{
	static struct bspj_status_table table;
	const char *first = bspj_site_of_line("dir/prog.py", 12), *other;
	uintptr_t base = bspi.site_base;
	int64_t packed = bspi_site_pack(first);
	char name[] = "copied.py";

	travels(first, "dir/prog.py:12", "the number of a line");
	travels(bspj_site_of_line("dir/prog.py", 1 << 21), "dir/prog.py:2097151", "the last line");
	ok(first == bspj_site_of_line("dir/prog.py", 12), "it is the same again");
	ok(first != bspj_site_of_line("dir/prog.py", 13) &&
	   first != bspj_site_of_line("dir/prog.px", 12), "another line, another file: others");
	ok(!is_narrow(first) && bspi_site_distance(first) != (int32_t)bspi_site_distance(first),
	   "it does not fit 32 bits, nor does its distance");
	bspi.site_base = bspi_site_turned((const char *)((base >> 1) + 0x1234));
	ok(bspi_site_unpack(packed) == first, "a process that lies elsewhere knows it");
	bspi.site_base = base;
	first = bspj_site_of_line(name, 3);
	name[0] = 'x';
	is_str("copied.py:3", bspi_site_text(first), "the name is copied");

	other = named_elsewhere(&table, "elsewhere.py", 5);
	is_unknown(other, "a file that nothing here has named");
	is_str("an unknown place", bspi_site_text(other), "its text says so");
	bspj_share_files(&table);
	travels(other, "elsewhere.py:5", "one that another process of the node has named");
	ok(has_name(&table, "dir/prog.py"), "it finds the names of this one there");
	for (int i = 0; i < 2 * BSPJ_FILES; i++) {
		snprintf(name, sizeof(name), "%d.py", i);
		first = bspj_site_of_line(name, 1);
	}
	is_str("95.py:1", bspi_site_text(first), "one that finds no room there is known here");
	bspj_share_files(NULL);
}

int main(void)
{
	static const char text[] = "prog.c:12";

	ok(!bspi_site_unpack(0), "before bsp_begin there are none");
	bspi.site_base = bspi_site_turned(text);
	travels(text, "prog.c:12", "a text");
	travels(as_source(&source), "dir/prog.cc:70000", "a record of a compiler");
	travels(as_line(file, 12), "dir/prog.cc:12", "a file with its line");
	travels(as_line(file, BSPJ_SITE_LINE_MOST), "dir/prog.cc:32767", "the last line of a file");
	ok(is_narrow(text) && is_narrow(as_source(&source)),
	   "what lies in the program fits 32 bits");
	ok(!is_narrow(as_line(file, 1)), "a line in the address does not");
	in_the_code();
	numbers();
	without_a_site();
	return done_testing();
}
