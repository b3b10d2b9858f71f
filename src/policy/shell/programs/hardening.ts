import { gitHardening } from "./git-hardening.ts";

/** The environment of commands that run without a question. The user's variables for options would be words that nobody has judged. */
export const hardening: Readonly<Record<string, string>> = {
  ...gitHardening,
  CDPATH: "",
  RIPGREP_CONFIG_PATH: "",
  // less: no commands, no logs, no preprocessors.
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
  // node: modules to preload, optional files, directories to write to.
  NODE_OPTIONS: "",
  NODE_EXTRA_CA_CERTS: "",
  NODE_V8_COVERAGE: "",
  NODE_COMPILE_CACHE: "",
  // Python: modules loaded before or instead of its own, and the directory for compiled files.
  PYTHONSAFEPATH: "1",
  PYTHONNOUSERSITE: "1",
  PYTHONPYCACHEPREFIX: "/tmp/coder-pycache",
  PYTHONPATH: "",
  PYTHONHOME: "",
  PYTHONWARNINGS: "",
  PYTHONUSERBASE: "",
  PYTHONPLATLIBDIR: "",
  GOTOOLCHAIN: "local",
  // The binutils would fetch debug information from servers.
  DEBUGINFOD_URLS: "",
};
