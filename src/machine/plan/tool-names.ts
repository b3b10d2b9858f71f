const otherNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["shell", "terminal", "command", "exec", "run_command", "sh"].map((name) => [name, "bash"])),
  ...{ read_file: "read", cat: "read", view: "read", ls: "list", list_files: "list", search: "grep", find: "glob" },
  ...{ write_file: "write", create_file: "write", edit_file: "edit", str_replace: "edit", apply_patch: "patch" },
};
const nothing = new Set(["none", "no", "n/a", "na", "-", "无", "没有", "无需工具"]);

/** Tool names in a free-form list: `read, edit`, `read、bash`, `none`. */
export function toolNamesIn(text: string): readonly string[] {
  const names = text
    .split(/[,，、;；/+|&\s]+|\band\b/u)
    .map((name) => toolName(name.replace(/[`*"'“”()（）[\]]/g, "")))
    .filter((name) => /^[a-z0-9_.:-]{1,64}$/.test(name) && !nothing.has(name));
  return [...new Set(names)];
}

export function toolName(name: string): string {
  const plain = name.trim().toLowerCase();
  return Object.hasOwn(otherNames, plain) ? (otherNames[plain] ?? plain) : plain;
}
