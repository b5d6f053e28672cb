import { firstClause } from './format';
import { shortId } from './shortId';
import type { Translate } from './translate';

/** What a pipeline is called: by the start of its description, else "Pipeline …a1b2c3" by the end of its ID. */
export function pipelineName(
  t: Translate,
  { id, description = '' }: { id: string; description?: string },
): string {
  const clause = firstClause(description);
  if (clause !== '') return clause;
  const end = shortId(id);
  return end === undefined ? t('Pipeline {0}', id) : t('Pipeline …{0}', end);
}
