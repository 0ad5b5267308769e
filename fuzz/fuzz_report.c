/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_report.c - any bytes as parameters, network, report or JSON are sane or rejected. */

/* With what is static in it: it reads text, not only files. */
#include "bsplib/model/params_file.c"

#include "bsplib/model/network.h"
#include "common/complain.h"
#include "tools/compare/compare.h"

#include <stdarg.h>
#include <sys/mman.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Something that must hold does not: libFuzzer keeps the input. */
static void insist(bool holds)
{
	if (!holds)
		abort();
}

void complain(const char *format, ...)
{
	va_list args;
	char text[1000];

	va_start(args, format);
	insist(vsnprintf(text, sizeof(text), format, args) > 0);
	va_end(args);
}

/* At or before the end, and the line is one of the text. */
static void check_site(const struct json *json)
{
	int lines = 1;

	insist(json->at >= json->text && json->at <= json->end);
	for (const char *at = json->text; at < json->end; at++)
		lines += *at == '\n';
	insist(bspi_params_line(json) >= 1 && bspi_params_line(json) <= lines);
}

static void check_entry(const struct bspi_params_entry *e)
{
	const struct bspi_plogp *p = &e->plogp;

	insist(memchr(e->key.host, 0, sizeof(e->key.host)) &&
	       memchr(e->key.transport, 0, sizeof(e->key.transport)) &&
	       memchr(e->key.network, 0, sizeof(e->key.network)));
	insist(e->key.nprocs >= 1 && e->slg.s > 0 && e->slg.nhalf >= 0);
	insist(p->nsizes >= 1 && p->nsizes <= BSPI_SIZES_MOST && p->L >= 0);
	for (int i = 0; i < p->nsizes; i++) {
		insist(i == 0 ? p->size[i] >= 1 : p->size[i] > p->size[i - 1]);
		insist(p->g[i] > 0 && p->g[i] <= TIME_MOST && p->os[i] >= 0 && p->or_[i] >= 0);
	}
}

static void try_params(const char *text, size_t len)
{
	static const struct bspi_params_key key = { .host = "a", .transport = "shm", .nprocs = 4 };
	struct bspi_params_entry first, again;
	struct json json;
	int found;

	bspi_json_begin(&json, text, len);
	found = params_find(&json, &key, true, &first);
	check_site(&json);
	if (json.wrong || !found)
		return;
	check_entry(&first);
	bspi_json_begin(&json, text, len);
	insist(params_find(&json, &key, true, &again) == found && !json.wrong);
	insist(first.key.nprocs == again.key.nprocs && first.plogp.nsizes == again.plogp.nsizes);
}

static void try_network(const char *path)
{
	char given[60], network[BSPI_EMULATE_MOST], why[BSPI_NETWORK_WHY] = "";
	struct bspi_measured m;

	if (bspi_network_measured(path, 1, &m, why, sizeof(why)) < 0) {
		insist(why[0]);
		return;
	}
	insist(m.net.L >= 0 && m.net.o >= 0 && m.net.g >= 0 && m.net.G > 0 && m.nprocs >= 1);
	snprintf(given, sizeof(given), "@%s,entry=1,cpu=0", path);
	insist(bspi_network_text(given, network, sizeof(network), why, sizeof(why)) == 0);
	insist(strncmp(network, "L=", 2) == 0 && strstr(network, "s,cpu=0"));
	insist(strspn(network, "LogG=0123456789.nus,cp") == strlen(network));
}

static void try_run(const char *path)
{
	static const struct compare_way way = { .setting = "BSP_SYNC=classic", .sync = "classic",
						.reports = "classic" };
	struct compare_report r;

	if (compare_report_read(path, &way, &r) == 0)
		insist(r.nprocs >= 1 && r.figures.total >= 0 && r.figures.supersteps >= 0);
}

/* As a file, of which its readers take a name. */
static void try_file(const char *text, size_t len)
{
	int fd = memfd_create("report", MFD_CLOEXEC);
	char path[40];

	insist(fd >= 0 && write(fd, text, len) == (ssize_t)len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	try_network(path);
	try_run(path);
	close(fd);
}

/* A value that is not of interest is passed over; one that can be is whole. */
static void try_any(const char *text, size_t len)
{
	struct json json;

	bspi_json_begin(&json, text, len);
	bspi_json_skip(&json);
	bspi_json_end(&json);
	check_site(&json);
	insist(json.wrong || json.at == json.end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Memory of exactly this size: nothing behind it may be read, nor is there a 0. */
	char *text = malloc(size ? size : 1);

	insist(text);
	memcpy(text, data, size);
	try_params(text, size);
	try_file(text, size);
	try_any(text, size);
	free(text);
	return 0;
}
