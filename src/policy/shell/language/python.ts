// Python modules that run as programs and only read. Python first searches the working directory for them and their imports: no entry there
// may have one of these names. Versions from 3.11 on do not search there (`hardening`).
import { judgeArguments } from "../arguments.ts";
import type { Scope } from "../scope.ts";
import type { Program, Word } from "../verdict/judgement.ts";
import type { Handled } from "../wrapper/handled.ts";

const modules: Readonly<Record<string, Program>> = {
  // The compiled file goes into the sandbox's temporary directory (`hardening`).
  py_compile: { flags: "q", operands: ["read"], rest: "read", atLeast: 1, needsFiles: true },
};

/** All modules that these import in any version, and names that begin with an underscore. */
const loaded = new RegExp(
  `^(?:${[
    "_(?!_)\\w*|__future__|abc|annotationlib|argparse|ast|atexit|binascii|bisect|builtins|bz2|certifi|codecs|codeop|collections|compression|contextlib",
    "copy|copyreg|dataclasses|datetime|difflib|dis|encodings|enum|errno|fnmatch|functools|genericpath|gettext|grp|hashlib|heapq",
    "importlib|inspect|io|ipaddress|itertools|json|keyword|linecache|locale|lzma|marshal|math|nt|ntpath|numbers|opcode|operator|os",
    "pathlib|pkgutil|posix|posixpath|pwd|py_compile|random|re|readline|reprlib|runpy|select|selectors|shutil|signal|site|sitecustomize",
    "sre_\\w+|stat|string|struct|subprocess|sys|tempfile|textwrap|threading|time|token|tokenize|traceback|types|typing|unicodedata",
    "urllib|usercustomize|warnings|weakref|winreg|zipfile|zipimport|zlib",
  ].join("|")})(?:$|\\.(?:py|pyc|so|cpython|abi3|pypy))`,
);

/** `python3 -m py_compile FILE …`; `null` = something else, or not certain. */
export function judgePython(name: string, args: readonly Word[], scope: Scope, isHere: boolean): Handled | null {
  const [option, module, ...rest] = args;
  if (!/^python3?$/.test(name) || option?.kind !== "literal" || option.value !== "-m" || module?.kind !== "literal")
    return null;
  const program = Object.hasOwn(modules, module.value) ? modules[module.value] : undefined;
  const { isHarmless, holds } = scope.facts;
  if (!program || isHarmless?.(name, isHere) !== true || holds?.(loaded) !== false) return null;
  const judged = judgeArguments(`${name} -m ${module.value}`, program, rest);
  return "problem" in judged ? { problems: [judged.problem] } : { problems: [], reads: judged.reads };
}
