// SPDX-License-Identifier: BSD-3-Clause
/* machine.c - where, when and by which command figures were measured. */

#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

/* The name of the processor in /proc/cpuinfo, or the architecture. */
static void machine_processor(char *text, size_t len, const char *architecture)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[PAGE_MACHINE_TEXT];

	snprintf(text, len, "%s", architecture);
	while (f && fgets(line, sizeof(line), f)) {
		const char *colon = strchr(line, ':');

		if (!colon || strncmp(line, "model name", 10) != 0)
			continue;
		snprintf(text, len, "%s", colon + 1 + strspn(colon + 1, " \t"));
		text[strcspn(text, "\n")] = '\0';
		break;
	}
	if (f)
		fclose(f);
}

void page_machine(struct page_machine *machine)
{
	time_t now = time(NULL);
	struct utsname u;
	struct tm utc;

	uname(&u);
	snprintf(machine->host, sizeof(machine->host), "%s", u.nodename);
	snprintf(machine->kernel, sizeof(machine->kernel), "%s %s", u.sysname, u.release);
	machine_processor(machine->processor, sizeof(machine->processor), u.machine);
	gmtime_r(&now, &utc);
	strftime(machine->date, sizeof(machine->date), "%Y-%m-%dT%H:%M:%SZ", &utc);
}

void page_command(char *text, size_t len, const char *name, int argc, char **argv)
{
	size_t used = (size_t)snprintf(text, len, "%s", name);

	for (int i = 1; i < argc && used < len; i++)
		used += (size_t)snprintf(text + used, len - used, " %s", argv[i]);
}
