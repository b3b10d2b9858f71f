/** What machines are set to that nobody has set; those whose zone is not known are the same case. */
const unset = /^(?:Etc\/)?(?:UTC|UCT|GMT(?:[+-]?0)?|Universal|Zulu|Greenwich|Unknown)$/i;

/** PS-3: where the person is, as far as the machine knows. */
export function machineZone(machine = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  return machine === undefined || machine === "" || unset.test(machine) ? "Asia/Shanghai" : machine;
}
