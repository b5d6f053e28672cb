import { MIN_ROWS } from '../../pages/page/minRows';

/** Less than this shows no plot. */
const MIN_PLOTS = { width: 240, height: 160 };

/** Where the plots are wanted, and how high or wide. */
export interface WantedPlace {
  side: 'below' | 'right';
  size: number;
}

/** Where they go. `over`: in place of the rows, since there is no room for both; `size` is then that of all. */
export interface DrawerPlace {
  where: 'below' | 'right' | 'over';
  size: number;
  min: number;
  max: number;
}

/**
 * Where plots go in the room that they share with the rows: on the other side where there is no room on the one wanted.
 * `below`: pixels that something else needs below the rows.
 */
export function drawerPlace(
  { side, size }: WantedPlace,
  room: { width: number; height: number },
  below = 0,
): DrawerPlace {
  const taken = { width: 0, height: below };
  for (const where of [side, side === 'below' ? 'right' : 'below'] as const) {
    const along = where === 'below' ? 'height' : 'width';
    const [min, max] = [MIN_PLOTS[along], room[along] - MIN_ROWS[along] - taken[along]];
    if (max >= min) return { where, size: Math.round(Math.max(min, Math.min(max, size))), min, max };
  }
  return { where: 'over', size: room.height, min: room.height, max: room.height };
}
