import { seededNumbers } from './seededNumbers';

export interface StudyOptions {
  conditions: string[];
  donors: number;
  /** Objects of an image. */
  perImage: number;
  /** There is a column of areas in µm², and pixels of images are of different sizes. */
  microns: boolean;
  /** Only paths tell conditions and donors. */
  onlyPaths: boolean;
  /** Some rows have spaces behind their condition. */
  spellings: boolean;
  /** Each donor was measured on two days. */
  days: boolean;
}

/**
 * A table of a study: four images of each donor under each condition, whose objects are greater
 * from one to the next.
 */
export function studyText({
  conditions = ['control', 'treated'],
  donors = 4,
  perImage = 12,
  microns = false,
  days = false,
  onlyPaths = false,
  spellings = false,
}: Partial<StudyOptions>): string {
  const random = seededNumbers(11);
  const bell = () => random() + random() + random() - 1.5;
  const names = conditions.length > 0 && !onlyPaths ? `,Treatment,Donor${days ? ',Day' : ''}` : '';
  const rows = [`Image origin,Object ID,Class,Area,Ki67${names}${microns ? ',Area (µm²)' : ''}`];
  (conditions.length > 0 ? conditions : ['images']).forEach((condition, at) => {
    for (let donor = 1; donor <= donors; donor++) {
      const own = bell() * 22;
      for (let site = 1; site <= 4; site++)
        for (let id = 1; id <= perImage; id++) {
          const area = 130 + at * 34 + donor * 9 + own + bell() * 60;
          const cells = [
            `${condition}/d${donor}_s${site}.tif`,
            id,
            random() < 0.2 ? 'Mitotic' : 'Nucleus',
            area.toFixed(1),
            (90 + bell() * 40).toFixed(1),
          ];
          rows.push(
            [
              ...cells,
              ...(names === '' ? [] : [spellings && id % 3 === 0 ? `${condition} ` : condition, `d${donor}`]),
              ...(days ? [`Day ${1 + (site % 2)}`] : []),
              ...(microns ? [(area * 0.1).toFixed(2)] : []),
            ].join(','),
          );
        }
    }
  });
  return `${rows.join('\n')}\n`;
}
