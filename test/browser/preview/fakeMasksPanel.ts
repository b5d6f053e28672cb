export interface FakeMasksOptions { strings: Record<string, string> }
export function fakeMasksPanel(_o: FakeMasksOptions, _t: (message: unknown) => void) { return undefined; }
