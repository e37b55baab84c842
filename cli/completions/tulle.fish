# fish completion for tulle. Options are read from the output of tulle help.
set -l commands info spy plan mul bench batch pagerank convert generate formats devices wisdom machine help
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -f -a "$commands"
complete -c tulle -n "not __fish_seen_subcommand_from $commands" -l version -l help
complete -c tulle -n "__fish_seen_subcommand_from help" -f -a "$commands"
for command in $commands
	for option in (tulle help $command 2>/dev/null | sed -n '/^OPTIONS/,/^[A-Z]* STATUS/p' |
			grep -oE -- '^  -.*' | grep -oE -- '--[a-z][a-z-]*' | string sub -s 3)
		complete -c tulle -n "__fish_seen_subcommand_from $command" -l $option
	end
end
