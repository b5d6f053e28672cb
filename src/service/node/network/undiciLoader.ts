type Undici = (typeof import('undici'))['default'];

/** Where undici keeps the dispatcher of every `fetch` in the process: the present slot and the one of older versions. */
const dispatcherSlots = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];

/**
 * Loads undici without its taking over the process's global dispatcher: all extensions share one process, and the
 * editor's own dispatcher in these slots is what knows the proxy. What loading put there is replaced by what was there.
 */
export async function loadUndici(): Promise<Undici> {
  const slots = globalThis as unknown as Record<symbol, unknown>;
  const before = dispatcherSlots.map(slot => slots[slot]);
  // A part of a split bundle has no other exports of CommonJS than this one.
  const { default: undici } = await import('undici');
  dispatcherSlots.forEach((slot, index) => {
    // Only our own copy's dispatcher is undone: other code may have set its own meanwhile.
    const now = slots[slot];
    const ours = now instanceof undici.Agent || now instanceof undici.Dispatcher1Wrapper;
    if (ours && now !== before[index]) slots[slot] = before[index];
  });
  return undici;
}
