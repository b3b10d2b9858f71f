import { phrase } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import { usage } from "./flags.ts";

// The scripts ask coder itself for suggestions, so they are never out of date. They find the program on PATH, never at the typed path:
// completing `./coder` in an untrusted directory must not run it. Output only goes into variables and is never evaluated. The bash
// script supports 3.2 (macOS).
const BASH = `# bash: eval "$(coder completion bash)"
_coder() {
  local line=\${COMP_LINE:0:COMP_POINT} current= prefix value about folder n
  local -a words
  COMPREPLY=()
  read -ra words <<<"$line"
  while [ \${#words[@]} -gt 0 ] && [ "\${words[0]}" != "$1" ]; do words=("\${words[@]:1}"); done
  [ \${#words[@]} -gt 0 ] || return 0
  if [[ $line != *[[:space:]] ]]; then
    n=$((\${#words[@]} - 1))
    current=\${words[n]}
    unset "words[n]"
  fi
  # The shell itself takes : and = for the end of a word.
  prefix=\${current%"\${current##*[:=]}"}
  while IFS=$'\\t' read -r value about; do
    case $value in
      :files) return 0 ;;
      :folders)
        type compopt >/dev/null 2>&1 && compopt -o filenames
        while IFS= read -r folder; do COMPREPLY+=("$folder"); done < <(compgen -d -- "$current")
        return 0
        ;;
      */) type compopt >/dev/null 2>&1 && compopt -o nospace ;;
    esac
    COMPREPLY+=("\${value#"$prefix"}")
  done < <(command coder __complete "\${words[@]:1}" "$current" 2>/dev/null)
}
complete -o default -F _coder coder
`;

const ZSH = `#compdef coder
# zsh: source <(coder completion zsh)
_coder() {
  local -a lines values shown open
  local line value
  lines=("\${(@f)$(command coder __complete "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  for line in "\${(@)lines}"; do
    value=\${line%%$'\\t'*}
    case $value in
      '') ;;
      :files) _files; return ;;
      :folders) _files -/; return ;;
      */) open+=("$value") ;;
      *) values+=("$value"); shown+=("$value  \${line#*$'\\t'}") ;;
    esac
  done
  (( \${#open} )) && compadd -S '' -a -- open
  (( \${#values} )) && compadd -l -d shown -a -- values
}
if [ "\${funcstack[1]}" = _coder ]; then _coder "$@"; else
  # A shell without a completion system yet gets one.
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit -i; }
  compdef _coder coder
fi
`;

const FISH = `# fish: coder completion fish | source
function __coder_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -e words[1]
    for line in (command coder __complete $words "$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':folders'
                __fish_complete_directories "$current"
            case '*'
                printf '%s\\n' "$line"
        end
    end
end
complete -c coder -f -a '(__coder_complete)'
`;

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

export async function completion(shell: string, io: Io): Promise<number> {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined) {
    const choices = Object.keys(SCRIPTS).join(", ");
    throw usage(phrase("cli.bad_choice", { flag: "coder completion", given: shell, choices }));
  }
  io.out(script);
  return 0;
}
