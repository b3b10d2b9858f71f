import { gitHardening } from "./git-hardening.ts";

/**
 * The environment of what runs without a question. Variables of the person's own that hold options, or programs to start
 * before a file is read, would be words that nobody has judged.
 */
export const hardening: Readonly<Record<string, string>> = {
  ...gitHardening,
  CDPATH: "",
  RIPGREP_CONFIG_PATH: "",
  // Of less: no commands, no logs, no programs before and after a file.
  LESSSECURE: "1",
  LESS: "",
  LESSOPEN: "",
  LESSCLOSE: "",
  MORE: "",
  TAR_OPTIONS: "",
  GZIP: "",
  XZ_OPT: "",
  XZ_DEFAULTS: "",
  UNZIP: "",
  UNZIPOPT: "",
  ZIPINFO: "",
  ZIPINFOOPT: "",
  // Of node: options for modules to load first, files that need not be there, and folders to write to.
  NODE_OPTIONS: "",
  NODE_EXTRA_CA_CERTS: "",
  NODE_V8_COVERAGE: "",
  NODE_COMPILE_CACHE: "",
  // Of Python: what it would load before or instead of its own, and where it keeps what it has compiled.
  PYTHONSAFEPATH: "1",
  PYTHONNOUSERSITE: "1",
  PYTHONPYCACHEPREFIX: "/tmp/coder-pycache",
  PYTHONPATH: "",
  PYTHONHOME: "",
  PYTHONWARNINGS: "",
  PYTHONUSERBASE: "",
  PYTHONPLATLIBDIR: "",
  GOTOOLCHAIN: "local",
  // The tools for objects would ask servers for what belongs to a program.
  DEBUGINFOD_URLS: "",
};
