// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_index.c - finds receives and messages by run, sender and tag. */

/*
 * An index has four red-black trees, one for each set of wildcards. The order of a tree is run,
 * then sender and tag, then the order in which the entries were added. So the first entry that
 * matches is found in O(log n) steps for any messages in any order, which softirq needs: no other
 * process can choose senders and tags that make a search long, as with a hash table. An entry is
 * part of the object that it finds, so that adding one needs no memory.
 */

#include "espgoal_job.h"

static u64 eg_index_pair(u32 high, u32 low)
{
	return (u64)high << 32 | low;
}

static struct eg_index_entry *eg_index_entry_of(struct rb_node *link)
{
	return rb_entry_safe(link, struct eg_index_entry, link);
}

/* @id as the entries of a tree have it: GOAL_ANY in the place of what is not compared. */
static struct eg_index_entry eg_index_key(unsigned int wildcards, const struct eg_msg_id *id)
{
	u32 from = wildcards & EG_ANY_SENDER ? GOAL_ANY : id->from;
	u32 tag = wildcards & EG_ANY_TAG ? GOAL_ANY : id->tag;

	return (struct eg_index_entry){ .run = eg_index_pair(id->schedule, id->run),
					.message = eg_index_pair(from, tag) };
}

static bool eg_index_is_before(const struct eg_index_entry *a, const struct eg_index_entry *b)
{
	if (a->run != b->run)
		return a->run < b->run;
	if (a->message != b->message)
		return a->message < b->message;
	return a->number < b->number;
}

void eg_index_add(struct eg_index *index, unsigned int wildcards, const struct eg_msg_id *id,
		  struct eg_index_entry *entry)
{
	struct rb_node **at = &index->trees[wildcards].rb_node, *parent = NULL;

	*entry = eg_index_key(wildcards, id);
	entry->number = index->nadded++;
	while (*at) {
		parent = *at;
		at = eg_index_is_before(entry, eg_index_entry_of(parent)) ? &parent->rb_left :
									    &parent->rb_right;
	}
	rb_link_node(&entry->link, parent, at);
	rb_insert_color(&entry->link, &index->trees[wildcards]);
}

void eg_index_remove(struct eg_index *index, unsigned int wildcards, struct eg_index_entry *entry)
{
	rb_erase(&entry->link, &index->trees[wildcards]);
}

/* The first entry of a tree that is not before @key. */
static struct eg_index_entry *eg_index_from(const struct eg_index *index, unsigned int wildcards,
					    const struct eg_index_entry *key)
{
	struct rb_node *at = index->trees[wildcards].rb_node, *found = NULL;

	while (at)
		if (eg_index_is_before(eg_index_entry_of(at), key)) {
			at = at->rb_right;
		} else {
			found = at;
			at = at->rb_left;
		}
	return eg_index_entry_of(found);
}

struct eg_index_entry *eg_index_find(const struct eg_index *index, unsigned int wildcards,
				     const struct eg_msg_id *id)
{
	struct eg_index_entry key = eg_index_key(wildcards, id);
	struct eg_index_entry *entry = eg_index_from(index, wildcards, &key);

	if (!entry || entry->run != key.run || entry->message != key.message)
		return NULL;
	return entry;
}

struct eg_index_entry *eg_index_first_of_run(const struct eg_index *index, u32 schedule,
					     const u32 *run)
{
	struct eg_index_entry key = { .run = eg_index_pair(schedule, run ? *run : 0) };
	struct eg_index_entry *entry = eg_index_from(index, 0, &key);

	if (!entry || entry->run >> 32 != schedule || (run && entry->run != key.run))
		return NULL;
	return entry;
}

struct eg_index_entry *eg_index_first(const struct eg_index *index, unsigned int wildcards)
{
	return eg_index_entry_of(rb_first(&index->trees[wildcards]));
}

struct eg_index_entry *eg_index_next(struct eg_index_entry *entry)
{
	return eg_index_entry_of(rb_next(&entry->link));
}
