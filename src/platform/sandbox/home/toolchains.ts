// The parts of a home folder that commands may read: toolchains and caches of build tools. Everything else there is hidden.
// `contract/path/secret-places.ts` excludes the logins that some of these folders contain.
import type { Environment } from "../../environment.ts";

/** Relative to the home folder. Where a tool keeps logins beside its programs, only folders without logins are listed. */
const homeTools: readonly string[] = [
  ...[".local/bin", ".local/lib", ".local/include", ".local/libexec", ".local/opt", ".cache", ".linuxbrew"],
  ...[".asdf", ".local/share/mise", ".local/share/rtx", ".proto", ".nix-profile", ".local/state/nix", ".guix-profile"],
  // JavaScript.
  ...[".npm", ".nvm", ".fnm", ".local/share/fnm", ".local/state/fnm_multishells", ".volta", ".nodenv", ".n", "n"],
  ...[".npm-global", ".npm-packages", ".yarn", ".config/yarn/global"],
  ...[".local/share/pnpm", ".pnpm-store", ".bun", ".deno"],
  // Python.
  ...[".pyenv", ".local/share/uv", ".local/share/pipx", ".local/pipx"],
  ...[".local/share/virtualenv", ".virtualenvs", ".rye"],
  ...[".local/share/virtualenvs", ".local/share/pypoetry", ".poetry"],
  ...[".local/share/hatch", ".local/share/pdm", ".pixi"],
  ...["miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", ".conda/envs", ".conda/pkgs", "nltk_data"],
  // Rust and Go.
  ...[".rustup", ".cargo/bin", ".cargo/registry", ".cargo/git", "go/bin", "go/pkg", "sdk", ".goenv", ".gvm"],
  // Java and other JVM languages.
  ...[".sdkman", ".jabba", ".jenv", ".jdks", ".m2/repository", ".m2/wrapper", ".gradle/caches", ".gradle/wrapper"],
  ...[".gradle/jdks", ".gradle/native", ".ivy2", ".sbt", ".coursier", ".local/share/coursier", ".konan", ".gitlibs"],
  // .NET, Ruby, PHP.
  ...[".dotnet", ".nuget/packages", ".local/share/NuGet", ".rbenv", ".rvm", ".gem/ruby", ".local/share/gem", ".rubies"],
  ...[".bundle/cache", ".phpenv", ".composer/vendor", ".composer/cache", ".config/composer/vendor"],
  // Others.
  ...[".ghcup", ".cabal/bin", ".cabal/packages", ".cabal/store", ".stack", ".opam", ".elan", ".mix", ".hex/packages"],
  ...[".julia/packages", ".julia/artifacts", ".julia/registries", ".julia/compiled", ".julia/juliaup", ".juliaup"],
  ...[".pub-cache", "flutter", "fvm", "perl5", ".plenv", ".luarocks/lib", ".luarocks/share", ".swiftly", ".swiftenv"],
  ...[".zvm", ".nimble", ".choosenim", ".wasmtime", ".wasmer"],
  ...["emsdk", ".foundry/bin", ".tfenv", ".vcpkg", ".conan2/p"],
  ...[".platformio/packages", ".espressif", ".arduino15", "Android/Sdk", "R", ".node-gyp", ".keras", ".torch"],
];

/** Environment variables with the location of a tool. Some contain several folders. */
const toolVariables: readonly string[] = [
  ...["NVM_DIR", "FNM_DIR", "VOLTA_HOME", "BUN_INSTALL", "DENO_INSTALL", "PNPM_HOME", "NODE_PATH", "N_PREFIX"],
  ...["PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "MAMBA_ROOT_PREFIX"],
  ...["PIPX_HOME", "UV_TOOL_DIR", "UV_PYTHON_INSTALL_DIR"],
  ...["RUSTUP_HOME", "GOROOT", "GOMODCACHE", "GOENV_ROOT", "JAVA_HOME"],
  ...["SDKMAN_DIR", "MAVEN_HOME", "M2_HOME", "GRADLE_HOME"],
  ...["KOTLIN_HOME", "SCALA_HOME", "DOTNET_ROOT", "RBENV_ROOT", "GEM_HOME", "GEM_PATH", "RUBY_ROOT", "ASDF_DIR"],
  ...["ASDF_DATA_DIR", "MISE_DATA_DIR", "ANDROID_HOME", "ANDROID_SDK_ROOT"],
  ...["FLUTTER_ROOT", "PUB_CACHE", "EMSDK", "OPAMROOT"],
  ...["PLAYWRIGHT_BROWSERS_PATH", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH", "VCPKG_ROOT", "NIX_PROFILES"],
];

/** For variables whose folder also contains logins: its subfolders without any. */
const partly: Readonly<Record<string, readonly string[]>> = {
  CARGO_HOME: ["bin", "registry", "git"],
  GOPATH: ["bin", "pkg"],
  GRADLE_USER_HOME: ["caches", "wrapper", "jdks", "native"],
};

export function toolPlaces(home: string, env: Environment): readonly string[] {
  const foldersIn = (name: string): readonly string[] => (env[name] ?? "").split(/[: ]/).filter((path) => path !== "");
  const parts = Object.entries(partly).flatMap(([name, below]) =>
    foldersIn(name).flatMap((folder) => below.map((one) => `${folder}/${one}`)),
  );
  const all = [...homeTools.map((path) => `${home}/${path}`), ...toolVariables.flatMap(foldersIn), ...parts];
  return [...new Set(all.filter((path) => path.startsWith("/")))];
}

export function isKnownTool(path: string, home: string): boolean {
  return path.startsWith(`${home}/`) && homeTools.includes(path.slice(home.length + 1));
}

export function programFolders(env: Environment): readonly string[] {
  return [...new Set((env.PATH ?? "").split(":").filter((path) => path.startsWith("/")))];
}

/** These mark a project: a program that lies beside them is not a toolchain. */
export const projectMarks: readonly string[] = [
  ...[".git", ".hg", "package.json", "go.mod", "Cargo.toml", "pyproject.toml", "setup.py", "pom.xml", "build.gradle"],
  ...["Makefile", "Gemfile", "composer.json", ".env", "docker-compose.yml", "compose.yaml"],
];

/** One of these beside `bin` makes the parent directory a toolchain. */
export const toolchainMarks: readonly string[] = [
  ...["lib", "lib64", "libexec", "share", "include", "pyvenv.cfg", "jre", "jmods", "shims", "versions", "installs"],
];
