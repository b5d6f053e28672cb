/** What a jump did in the page. */
export interface JumpSeen {
  /** Milliseconds from the input to the last change of the page. */
  wall: number;
  /** Milliseconds of the longest task, where it is over 50. */
  longest: number;
  cells: number;
  headers: number;
  /** Requests for rows, and the cells that came. */
  requests: number;
  fetched: number;
  /** Cells in view without a text. */
  empty: number;
}

export interface JumpProbe {
  begin(): void;
  end(): JumpSeen;
}

/** Installs `jumpProbe` in the page of a preview. */
export function installJumpProbe(): void {
  const seen = { input: NaN, last: 0, longest: 0, cells: 0, headers: 0, requests: 0, fetched: 0 };
  const target = globalThis as unknown as {
    jumpProbe: JumpProbe;
    callEngine: (method: string, params: string) => Promise<string>;
  };
  const inputOf = (event: Event) => {
    if (Number.isNaN(seen.input)) seen.input = event.timeStamp;
  };
  for (const name of ['keydown', 'wheel', 'mousedown', 'beforeinput'])
    addEventListener(name, inputOf, { capture: true, passive: true });
  new MutationObserver(records => {
    seen.last = performance.now();
    for (const { addedNodes } of records)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        const count = (name: string) =>
          Number(node.classList.contains(name)) + node.getElementsByClassName(name).length;
        seen.cells += count('ag-cell');
        seen.headers += count('ag-header-cell');
      }
  }).observe(document, { childList: true, subtree: true, characterData: true });
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
  }).observe({ type: 'longtask' });
  const { callEngine } = target;
  target.callEngine = async (method, params) => {
    const response = await callEngine(method, params);
    if (method === 'tableRows') {
      const { value } = JSON.parse(response) as { value?: { rows: string[][] } };
      seen.requests++;
      for (const row of value?.rows ?? []) seen.fetched += row.length;
    }
    return response;
  };
  target.jumpProbe = {
    begin: () =>
      void Object.assign(seen, {
        input: NaN,
        last: 0,
        longest: 0,
        cells: 0,
        headers: 0,
        requests: 0,
        fetched: 0,
      }),
    end: () => {
      const { input, last, ...counted } = seen;
      const cells = [...document.querySelectorAll<HTMLElement>('.table-grid .ag-cell')];
      const empty = cells.filter(({ textContent }) => textContent === '').length;
      return { ...counted, wall: last > 0 ? last - input : 0, empty };
    },
  };
}
