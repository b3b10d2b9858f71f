export const configText = {} as const;
