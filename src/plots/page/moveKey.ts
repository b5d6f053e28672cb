const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const;

export type ArrowKey = keyof typeof DIRECTIONS;

/** A key that moves from one target of a plot to another. */
export type MoveKey = ArrowKey | 'Home' | 'End';

export function isMoveKey(key: string): key is MoveKey {
  return Object.hasOwn(DIRECTIONS, key) || key === 'Home' || key === 'End';
}

/** The direction of an arrow key on the screen: x to the right, y down. */
export function arrowDirection(key: ArrowKey): readonly [dx: number, dy: number] {
  return DIRECTIONS[key];
}
