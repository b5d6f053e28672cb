import { firstClause } from './format';
import type { Translate } from './translate';

/** What a job is proposed a name from. */
export interface NamedInput {
  /** Names of the items, as far as they are known. */
  names: readonly string[];
  count: number;
  /** The folder that all items are in. */
  folder?: string;
  /** Description of the pipeline. */
  pipeline?: string;
}

/** A name for a job: "coins – Bright objects", "mine (9 images) – Bright objects"; empty where nothing is known. */
export function proposedJobName(t: Translate, { names, count, folder, pipeline = '' }: NamedInput): string {
  const [first] = names;
  const analysis = firstClause(pipeline);
  const items = inputName();
  if (items === '') return analysis;
  return analysis === '' ? items : t('{0} – {1}', items, analysis);

  function inputName(): string {
    if (count === 1) return first === undefined ? '' : stem(first);
    if (folder !== undefined && folder !== '') return t('{0} ({1} images)', folder, count);
    return first === undefined ? t('{0} items', count) : t('{0} and {1} more', stem(first), count - 1);
  }
}

/** A file's name without its ending. */
function stem(name: string): string {
  return name.replace(/(?<=.)\.[A-Za-z0-9]{1,8}$/, '').replace(/\.ome$/i, '');
}
