# bash completion for tulle. Options, formats and kinds are read from the output of tulle itself.
_tulle()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	local command=${COMP_WORDS[1]} words
	local commands="info spy plan mul bench batch pagerank convert generate formats devices wisdom machine help"

	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$commands --version --help" -- "$cur")
		return
	fi
	case $prev in
	--value-type) words="f32 f64 c64 c128" ;;
	--isa) words="scalar avx2 avx2_loads avx512 avx512_loads neon sve128 sve256 sve512" ;;
	--stores) words="1 2" ;;
	--format | -f) words=$(tulle formats 2>/dev/null | sed -n '2,$s/^\([a-z0-9]\{1,\}\).*/\1/p') ;;
	--device) words=$(tulle devices --json 2>/dev/null | sed -n 's/.*"name": "\([^"]*\)".*/\1/p') ;;
	--like) words=$(tulle generate --list 2>/dev/null | sed -n '/^stand-ins/,$p' |
		sed -n '4,$p' | cut -d' ' -f1) ;;
	--threads | --memory-limit | --seconds | --multiplies | --vectors | --size | --max-seconds | --max-bytes | \
		--damping | --tolerance | --max-iterations | --top) return ;;
	esac
	if [ -z "${words-}" ] && [ "${cur#-}" != "$cur" ]; then
		words=$(tulle help "$command" 2>/dev/null | sed -n '/^OPTIONS/,/^[A-Z]* STATUS/p' |
			grep -oE -- '^  -.*' | grep -oE -- '--[a-z][a-z-]*')
	elif [ -z "${words-}" ] && [ "$command" = help ]; then
		words=$commands
	elif [ -z "${words-}" ] && [ "$command" = generate ] && [ "$prev" = generate ]; then
		words=$(tulle generate --list 2>/dev/null | sed -n '/^stand-ins/q; /^[a-z]/p' |
			sed 1d | cut -d' ' -f1)
	fi
	if [ -n "${words-}" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	else
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}
complete -F _tulle tulle
