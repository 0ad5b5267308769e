// SPDX-License-Identifier: BSD-3-Clause
/* launch_hosts.c - lists of hosts, on the command line and in files. */

#include "launch.h"
#include "common/complain.h"
#include "common/input.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS_MOST = 65535, NAME_MOST = 255, LINE_MOST = 4096 };

/* Where a host was named: in an option, or in a line of a file. */
struct origin {
	const char *file;		/* NULL: -H */
	int line;
};

static _Noreturn void fail_entry(const struct origin *from, const char *entry)
{
	if (from->file)
		fail(EXIT_USAGE,
		     "%s:%d: '%s': expected HOST, HOST:N or HOST slots=N, with N from 1 to %d",
		     from->file, from->line, entry, SLOTS_MOST);
	fail(EXIT_USAGE, "-H: '%s': expected HOST or HOST:N, with N from 1 to %d", entry,
	     SLOTS_MOST);
}

/* A name or an address; never what a remote shell could take for an option. */
static bool is_host(const char *name, size_t len)
{
	if (len == 0 || len > NAME_MOST || !isalnum((unsigned char)name[0]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i]))
			return false;
	return true;
}

/* 0 if @text is no number of slots. */
static int slots_of(const char *text)
{
	size_t len = strspn(text, "0123456789");
	int slots = len > 0 && len <= 5 && text[len] == '\0' ? atoi(text) : 0;

	return slots <= SLOTS_MOST ? slots : 0;
}

static struct launch_host *find_or_add(struct launch_hosts *h, const char *name, size_t len)
{
	struct launch_host *grown;

	for (size_t i = 0; i < h->n; i++)
		if (strncmp(h->at[i].name, name, len) == 0 && h->at[i].name[len] == '\0')
			return &h->at[i];
	grown = realloc(h->at, (h->n + 1) * sizeof(*grown));
	if (!grown)
		fail(1, "no memory");
	h->at = grown;
	h->at[h->n] = (struct launch_host){ .name = strndup(name, len) };
	if (!h->at[h->n].name)
		fail(1, "no memory");
	return &h->at[h->n++];
}

/* @entry is HOST or HOST:N; @slots what else was said of it, or 0. Named again it takes more. */
static void hosts_add(struct launch_hosts *h, const struct origin *from, const char *entry,
		      int slots)
{
	size_t len = strcspn(entry, ":");

	if (entry[len] == ':' && (slots || !(slots = slots_of(entry + len + 1))))
		fail_entry(from, entry);
	if (!is_host(entry, len))
		fail_entry(from, entry);
	if (slots == 0)
		slots = 1;
	if (h->slots > SLOTS_MOST - slots)
		fail(EXIT_USAGE, "these hosts have more than %d slots", SLOTS_MOST);
	find_or_add(h, entry, len)->slots += slots;
	h->slots += slots;
}

static void hosts_read_text(struct launch_hosts *h, const char *text)
{
	static const struct origin option = { .file = NULL };
	char *copy = strdup(text), *rest = copy, *entry;

	if (!copy)
		fail(1, "no memory");
	if (!*text)
		fail(EXIT_USAGE, "-H: the list of hosts is empty");
	while ((entry = strsep(&rest, ",")))
		hosts_add(h, &option, entry, 0);
	free(copy);
}

static void read_file(struct launch_hosts *h, const char *name)
{
	struct origin from = { .file = name };
	FILE *file = input_open_any(name);
	char line[LINE_MOST];

	if (!file)
		fail(EXIT_USAGE, "--hostfile %s: %s", name, input_reason(errno));
	errno = 0;
	while (fgets(line, sizeof(line), file)) {
		char *rest, *entry, *word;
		int slots = 0;

		from.line++;
		/* As of /dev/zero, which has no end. */
		if (!strchr(line, '\n') && !feof(file))
			fail(EXIT_USAGE, "%s:%d: the line has a byte of value 0, or more than %d",
			     name, from.line, LINE_MOST - 2);
		line[strcspn(line, "#\r\n")] = '\0';
		entry = strtok_r(line, " \t", &rest);
		if (!entry)
			continue;
		while ((word = strtok_r(NULL, " \t", &rest)))
			if (slots || strncmp(word, "slots=", 6) != 0 ||
			    !(slots = slots_of(word + 6)))
				fail_entry(&from, word);
		hosts_add(h, &from, entry, slots);
	}
	if (ferror(file))
		fail(EXIT_USAGE, "--hostfile %s: %s", name, strerror(errno));
	if (h->n == 0)
		fail(EXIT_USAGE, "--hostfile %s: it names no host", name);
	fclose(file);
}

void launch_hosts_read(struct launch_hosts *h, const char *text, const char *hostfile)
{
	*h = (struct launch_hosts){ .n = 0 };
	if (text)
		hosts_read_text(h, text);
	else
		read_file(h, hostfile);
}

char *launch_hosts_text(const struct launch_hosts *h)
{
	char *text = NULL;
	size_t len;
	FILE *into = open_memstream(&text, &len);

	if (!into)
		fail(1, "no memory");
	for (size_t i = 0; i < h->n; i++)
		fprintf(into, "%s%s:%d", i ? "," : "", h->at[i].name, h->at[i].slots);
	if (fclose(into) || !text)
		fail(1, "no memory");
	return text;
}

void launch_hosts_free(struct launch_hosts *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->at[i].name);
	free(h->at);
}
