/** The key of the account. */
export const KEY = 'key-0123456789abcdef';
