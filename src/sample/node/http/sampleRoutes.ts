import { httpError } from './httpError';
import { readJsonObject, type Route } from './httpRouter';
import type { JobRunner } from '../jobs/jobRunner';
import type { Identity } from '../instance/probeInstance';
import type { Readiness } from '../instance/readiness';
import type { ResultLinks } from './resultLinks';
import { handleResult } from './resultRoute';
import { checkMilliseconds, type ServiceSettings } from '../serviceSettings';

export interface SampleParts {
  identity: string;
  readiness: Readiness;
  settings: ServiceSettings;
  links: ResultLinks;
  runner: JobRunner;
}

/** The endpoints of the sample service besides the documented ones. */
export function sampleRoutes({ identity, readiness, settings, links, runner }: SampleParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/sample/identity',
      access: 'always',
      handle: (): Identity => ({ identity, ready: readiness.isReady }),
    },
    { method: 'GET', path: '/sample/settings', access: 'key', handle: () => ({ ...settings }) },
    {
      method: 'PUT',
      path: '/sample/settings',
      access: 'key',
      handle: async ({ request }) => {
        const { delayMs, stays } = await readJsonObject(request, 10_000);
        if (stays !== undefined && stays !== true) throw httpError(400, 'stays: true was expected');
        if (delayMs !== undefined || stays === undefined)
          settings.delayMs = checkMilliseconds(delayMs, 'delayMs');
        settings.stays ||= stays === true;
        return { ...settings };
      },
    },
    {
      method: 'GET',
      path: '/results/:jobId/:file',
      access: 'link',
      handle: exchange => handleResult(exchange, links, runner),
    },
  ];
}
