/** Which table a person uses for masks that come without one: one measured from them, or a file, by its URI. */
export type TableChoice = { kind: 'measured' } | { kind: 'file'; uri: string };
