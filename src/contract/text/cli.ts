export const cliText = {} as const;
