/** Runs tasks of one id one after the other. */
export function turns() {
  const last = new Map<number, Promise<unknown>>();
  return <Result>(id: number, task: () => Promise<Result>): Promise<Result> => {
    const turn = (last.get(id) ?? Promise.resolve()).catch(() => undefined).then(task);
    last.set(id, turn);
    const forget = (): void => {
      if (last.get(id) === turn) last.delete(id);
    };
    turn.then(forget, forget);
    return turn;
  };
}
