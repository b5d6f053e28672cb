import { createHmac, timingSafeEqual } from 'node:crypto';

/** Windows whose messages differ in meaning must not meet; raised with every such change. */
export const PROTOCOL = 2;

export type Side = 'leader' | 'follower';

/** The first message of either side. */
export interface Hello {
  protocol: number;
  /** Proves knowledge of the nonce without telling it. */
  proof: string;
}

export function hello(nonce: string, side: Side): Hello {
  return { protocol: PROTOCOL, proof: proofOf(nonce, side) };
}

/** Whether a message is the hello of that side, by a window of our version that knows the nonce. */
export function isHello(message: unknown, nonce: string, side: Side): boolean {
  const { protocol, proof } = (message ?? {}) as Partial<Record<keyof Hello, unknown>>;
  if (protocol !== PROTOCOL || typeof proof !== 'string') return false;
  const expected = Buffer.from(proofOf(nonce, side));
  const given = Buffer.from(proof);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function proofOf(nonce: string, side: Side): string {
  return createHmac('sha256', nonce).update(side).digest('hex');
}
