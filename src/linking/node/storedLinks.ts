import * as v from 'valibot';
import type { StoredImageLinks } from '../../archives/imageIdentity';
import type { StoredKind } from '../../base/storedKind';
import type { ResultChoices } from '../../results/node/resultChoices';
import { choiceOwnerOf, type ResultSource } from '../../session/node/resultSource';
import { type LinkColumns, linkColumns } from '../rowLinks';

export const linkColumnsKind: StoredKind<LinkColumns> = {
  name: 'linkColumns',
  valid: value => (v.is(linkColumns, value) ? value : undefined),
};

/** Stores a user's links of a result's rows and objects. */
export interface StoredLinks extends StoredImageLinks {
  columns(): Promise<LinkColumns | undefined>;
  /** Undefined removes the stored columns. */
  setColumns(columns: LinkColumns | undefined): Promise<void>;
}

export function storedLinks(
  choices: Pick<ResultChoices, 'linksOf' | 'value' | 'setValue'>,
  source: ResultSource,
): StoredLinks {
  const owner = choiceOwnerOf(source);
  return {
    ...choices.linksOf(source),
    columns: () => choices.value(linkColumnsKind, owner),
    setColumns: columns => choices.setValue(linkColumnsKind, owner, columns),
  };
}
