/* help.c -- the manual pages on a terminal: `tulle help` and `man` show the same text.
 *
 * The pages of docs/man are compiled into the program (pages.c, made by pages.cmake) and formatted here.
 * They use only these man macros: .TH .SH .PP .TP .B .I .BR .BI .IR .RB .RI .nf .fi, and in running text
 * \fB \fI \fR \- \e. */
#include "pages.h"

#include <ctype.h>
#include <string.h>

/* Lines have at most 80 columns. The rest is for a word that follows the last word without a blank. */
enum { WIDTH = 74, BODY = 2, ITEM = 6 };

static struct {
	int indent, column; /* column 0: the line is empty */
	int verbatim, tag;  /* inside .nf; the next line is the tag of an item */
	int open;           /* the text of .BR or a similar macro ended with a blank */
	int glue;           /* the next word follows without a blank */
	int fresh;          /* a heading was printed last */
} page;

static void new_line(void)
{
	if (page.column)
		putchar('\n');
	page.column = 0;
	page.glue = 0;
}

static void put_style(char letter)
{
	printf("%s", letter == 'B' ? cli_bold() : letter == 'I' ? cli_underline() : cli_plain());
}

/* Stores in `shown` what the escape sequence at `p` prints, and returns its length. Style changes print
 * nothing. */
static size_t escape_at(const char *p, const char *end, char *shown)
{
	*shown = 0;
	if (end - p >= 3 && p[1] == 'f')
		return 3;
	if (end - p >= 2) {
		*shown = p[1] == 'e' ? '\\' : p[1] == '&' ? 0 : p[1];
		return 2;
	}
	return 1;
}

static int shown_width(const char *p, const char *end)
{
	int width = 0;
	char c;

	while (p < end) {
		if (*p == '\\') {
			p += escape_at(p, end, &c);
			width += c != 0;
		} else {
			width += ((unsigned char)*p++ & 0xc0) != 0x80;
		}
	}
	return width;
}

static void put_shown(const char *p, const char *end)
{
	char c;

	while (p < end) {
		if (*p != '\\') {
			putchar(*p++);
			continue;
		}
		const size_t length = escape_at(p, end, &c);
		if (length == 3)
			put_style(p[2]);
		else if (c)
			putchar(c);
		p += length;
	}
}

/* Print one word, on a new line if it does not fit. */
static void put_word(const char *p, const char *end)
{
	const int width = shown_width(p, end), glue = page.glue && page.column;

	if (!glue && page.column + 1 + width > WIDTH)
		new_line();
	if (!page.column)
		page.column = printf("%*s", page.indent, "");
	else if (!glue && page.column > page.indent)
		page.column += printf(" ");
	put_shown(p, end);
	page.column += width;
	page.glue = page.fresh = 0;
}

static void put_words(const char *p, const char *end)
{
	while (p < end) {
		while (p < end && *p == ' ')
			p++;
		const char *word = p;
		while (p < end && *p != ' ')
			p++;
		if (p > word)
			put_word(word, p);
	}
}

/* Arguments of .BR and similar macros: alternately in two styles, joined without blanks. */
static void put_turns(const char *p, const char *end, const char *styles)
{
	for (int n = 0; p < end; n++) {
		while (p < end && *p == ' ')
			p++;
		const char stop = p < end && *p == '"' ? '"' : ' ';
		const char *word = p += stop == '"';
		while (p < end && *p != stop)
			p++;
		page.glue = n && *word != ' ' && !(page.open && page.column);
		page.open = p > word && p[-1] == ' ';
		put_style(styles[n % 2]);
		put_words(word, p);
		put_style('R');
		p += p < end;
	}
	page.open = 0;
}

static void put_text(const char *p, const char *end)
{
	if (!page.verbatim) {
		put_words(p, end);
		return;
	}
	printf("%*s", p < end ? page.indent + 2 : 0, "");
	put_shown(p, end);
	putchar('\n');
}

/* The text of an item begins on the line after its tag and is indented further. */
static void end_tag(void)
{
	new_line();
	page.tag = 0;
	page.indent = ITEM;
}

static void heading(const char *p, const char *end)
{
	new_line();
	printf("%s%s%.*s%s\n", page.fresh ? "" : "\n", cli_bold(), (int)(end - p), p, cli_plain());
	page.indent = BODY;
	page.fresh = 1;
}

static void styled(const char *macro, const char *p, const char *end)
{
	if (macro[1] == ' ') {
		put_style(macro[0]);
		put_words(p, end);
		put_style('R');
	} else {
		put_turns(p, end, macro);
	}
}

static void set_macro(const char *macro, const char *p, const char *end)
{
	if (!strncmp(macro, "SH", 2)) {
		heading(p, end);
	} else if (!strncmp(macro, "PP", 2) || !strncmp(macro, "TP", 2)) {
		new_line();
		if (!page.fresh)
			putchar('\n');
		page.indent = BODY;
		page.tag = macro[0] == 'T';
	} else if (!strncmp(macro, "nf", 2) || !strncmp(macro, "fi", 2)) {
		new_line();
		page.verbatim = macro[0] == 'n';
	} else if (strchr("BIR", macro[0])) {
		styled(macro, p, end);
		if (page.tag)
			end_tag();
	}
}

static void set_line(const char *p, const char *end)
{
	if (p < end && *p == '.') {
		const char *rest = p + 1;

		while (rest < end && *rest != ' ')
			rest++;
		set_macro(p + 1, rest < end ? rest + 1 : end, end);
		return;
	}
	put_text(p, end);
	if (page.tag)
		end_tag();
}

int cli_help_page(const char *name)
{
	for (const cli_page *c = CLI_PAGES; c->name; c++) {
		if (strcmp(c->name, name))
			continue;
		page.indent = BODY;
		page.fresh = 1;
		for (const char *p = c->text; *p;) {
			const char *const end = p + strcspn(p, "\n");

			set_line(p, end);
			p = *end ? end + 1 : end;
		}
		new_line();
		return 1;
	}
	return 0;
}
