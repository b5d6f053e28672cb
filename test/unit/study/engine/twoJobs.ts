import { ExtendedTable } from '../../../../src/columns/engine/read/addedColumns';
import { JoinedTable } from '../../../../src/columns/engine/read/joinedTable';
import type { ImageFacts } from '../../../../src/study/conditionRequests';
import { type StudyImages, studyImagesOf } from '../../../../src/study/engine/studyImages';
import { type TableTexts, Viewed } from '../../columns/engine/tableTexts';

export const [JOB, IMAGE, AREA, CLASS, TREATMENT, DONOR, WELL] = [0, 1, 2, 3, 4, 5, 6] as const;

/** Images of both jobs: a with other objects in each, b of the first and c of the second. */
const FIRST = 'Image,Area,Class\na,1,p\na,3,p\nb,10,q\n';
const SECOND = 'Image,Area,Class\na,5,q\nc,7,p\nc,9,p\nc,11,q\n';

/** Two jobs as one table, with columns of images: x, donor 1, A1 of a and b; y, donor 2, A2 of c. */
export async function twoJobs(
  texts: TableTexts,
  excluded: ImageFacts['images']['excluded'] = [],
  labels: readonly [string, string] = ['Job 1', 'Job 2'],
): Promise<{ view: Viewed; images: StudyImages }> {
  const joined = new JoinedTable(
    [
      { table: await texts.table(FIRST), label: labels[0] },
      { table: await texts.table(SECOND), label: labels[1] },
    ],
    'Job',
  );
  const table = new ExtendedTable(joined);
  const keys = ['a', 'b', 'c'];
  const columns = [
    { name: 'Treatment', values: ['x', 'x', 'y'] },
    { name: 'Donor', values: ['1', '1', '2'] },
    { name: 'Well', values: ['A1', 'A1', 'A2'] },
  ];
  table.set({ keyColumn: IMAGE, keys, columns });
  const facts: ImageFacts = {
    images: { images: keys, columns, excluded },
    pathColumn: IMAGE,
    texts: keys,
    imageOf: [0, 1, 2],
    areAllKnown: false,
  };
  return { view: new Viewed(table), images: studyImagesOf(table, facts) };
}
