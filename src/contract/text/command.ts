export const commandText = {} as const;
