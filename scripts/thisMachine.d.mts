export function measureMachine(): { milliseconds: number; files: number; stages: number };
export function atATime(speed: number, cores?: number, memory?: number): { files: number; stages: number };
