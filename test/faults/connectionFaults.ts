import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange, Fault } from './fault';
import { all, ending } from './operationGroups';
import { headOf, respondWell } from './respond';

/** Long enough for a client to read what was sent before a reset discards it. */
const READ_MS = 100;
/** So often a second is over on the virtual clock. */
const TICK_MS = 5;

/** What can go wrong between two machines. */
export const connectionFaults: readonly Fault[] = [
  { does: 'refuses connections', operations: ending, server: 'closed' },
  { does: 'has a certificate that nobody vouches for', operations: ending, server: 'self-signed' },
  {
    does: 'resets the connection before it responds',
    operations: all,
    respond: exchange => {
      exchange.healthy();
      exchange.socket.resetAndDestroy();
    },
  },
  {
    does: 'resets the connection within the status line',
    operations: all,
    respond: exchange => resetAfter(exchange, () => 'HTTP/1.1 2'),
  },
  {
    does: 'resets the connection within the headers',
    operations: all,
    respond: exchange => resetAfter(exchange, head => head.slice(0, -20)),
  },
  {
    does: 'resets the connection after the headers',
    operations: all,
    respond: exchange => resetAfter(exchange, head => head),
  },
  {
    does: 'resets the connection within the body',
    operations: all,
    respond: exchange =>
      resetAfter(exchange, (head, body) => head + body.toString('latin1', 0, body.length / 2)),
  },
  {
    does: 'accepts connections and never responds',
    operations: all,
    isSlow: true,
    respond: ({ healthy }) => void healthy(),
  },
  {
    does: 'sends headers and nothing after them',
    operations: all,
    isSlow: true,
    respond: ({ socket, healthy }) => void socket.write(headOf(healthy())),
  },
  {
    does: 'sends its headers a byte a second',
    operations: all,
    isSlow: true,
    respond: exchange => {
      const head = headOf(exchange.healthy());
      void trickle(exchange, function* () {
        yield* head.slice(0, -4);
        for (;;) yield* '\r\nX: y';
      });
    },
  },
  {
    does: 'sends its body a byte a second, without end',
    operations: all,
    isSlow: true,
    respond: exchange => {
      const { status, contentType } = exchange.healthy();
      exchange.socket.write(headOf({ status, contentType, body: undefined }));
      void trickle(exchange, function* () {
        for (;;) yield ' ';
      });
    },
  },
  {
    does: 'sends interim responses without end',
    operations: all,
    isSlow: true,
    respond: exchange => {
      exchange.healthy();
      void trickle(exchange, function* () {
        for (;;) yield 'HTTP/1.1 102 Processing\r\n\r\n';
      });
    },
  },
  {
    does: 'sends a 100 Continue that was not requested',
    operations: all,
    respond: exchange => {
      exchange.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      respondWell(exchange);
    },
  },
  {
    does: 'speaks another protocol',
    operations: all,
    respond: ({ socket, healthy }) => {
      healthy();
      socket.end('220 mail.lab.test ESMTP\r\n');
    },
  },
];

function resetAfter({ socket, healthy }: Exchange, sent: (head: string, body: Buffer) => string): void {
  const response = healthy();
  socket.write(Buffer.from(sent(headOf(response), response.body), 'latin1'), () => {
    void pause(READ_MS).then(() => socket.resetAndDestroy());
  });
}

/** Sends one piece each virtual second until the client has enough of it. */
async function trickle({ socket, clock }: Exchange, pieces: () => Iterable<string>): Promise<void> {
  for (const piece of pieces()) {
    if (socket.destroyed) return;
    socket.write(piece);
    clock.advance(1000);
    await pause(TICK_MS);
  }
}
