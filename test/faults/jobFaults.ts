import type { Exchange, Fault } from './fault';

const operations = ['follow a job'] as const;

/** Jobs that behave as no job should. */
export const jobFaults: readonly Fault[] = [
  {
    does: 'has words for a status that nobody knows',
    operations,
    respond: ({ response, count }) => {
      const status = ['WARMING_UP', '', 'Ünbekannt 🙂', 'RUNNING', 'null', 'HALF SUCCEEDED'][count];
      response.end(JSON.stringify({ id: 'job-running', status, percentageCompleted: count }));
    },
  },
  {
    does: 'has jobs whose percentage falls',
    operations,
    respond: ({ response, count }) => {
      const percentageCompleted = [80, 40, -5, 250, '12 %', 1][count];
      response.end(JSON.stringify({ id: 'job-running', status: 'RUNNING', percentageCompleted }));
    },
  },
  {
    does: 'has jobs that vanish',
    operations,
    respond: ({ response, count, healthy }: Exchange) => {
      if (count === 0) response.end(healthy().body);
      else response.writeHead(404).end();
    },
  },
  {
    does: 'has jobs that succeed without results',
    operations,
    respond: ({ response }) => {
      response.end(JSON.stringify({ id: 'job-running', status: 'SUCCEEDED', percentageCompleted: 100 }));
    },
  },
  {
    does: 'has jobs that fail, with a link in the reason',
    operations,
    respond: ({ response }) => {
      const message = 'See https://storage.lab.test/log?signature=signature-0123456789abcdef';
      response.end(JSON.stringify({ id: 'job-running', status: 'FAILED', message }));
    },
  },
];
