/* instructions_plugin.c -- a plugin of qemu-user 7.2 that counts executed instructions and prints the number at the end.
 *
 * Debian has no header of this interface; the declarations below are those of its version 1. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#define EXPORTED __attribute__((visibility("default")))

typedef uint64_t plugin_id;
typedef struct qemu_plugin_tb block;

enum { ADD_U64 = 0 };

size_t qemu_plugin_tb_n_insns(const block *b);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*translated)(plugin_id, block *));
void qemu_plugin_register_vcpu_tb_exec_inline(block *b, int op, void *counter, uint64_t n);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*end)(plugin_id, void *), void *data);

extern EXPORTED int qemu_plugin_version;
EXPORTED int qemu_plugin_version = 1;
EXPORTED int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);

/* One thread runs: the sum is not atomic. */
static uint64_t executed;

static void count(plugin_id id, block *b)
{
	(void)id;
	qemu_plugin_register_vcpu_tb_exec_inline(b, ADD_U64, &executed, qemu_plugin_tb_n_insns(b));
}

static void print(plugin_id id, void *data)
{
	(void)id;
	(void)data;
	fprintf(stderr, "executed %" PRIu64 "\n", executed);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
	(void)info;
	(void)argc;
	(void)argv;
	qemu_plugin_register_vcpu_tb_trans_cb(id, count);
	qemu_plugin_register_atexit_cb(id, print, NULL);
	return 0;
}
