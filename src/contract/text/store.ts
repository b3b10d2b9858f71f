export const storeText = {} as const;
