import type { Bus } from '../../src/port';

/** A bus and, with an event loop of its own, the other side of it, which answers `shop.order.get.v1`. */
export type BlockableBus = {
  readonly bus: Bus;
  /** Resolves when the event loop of the other side stands still, for so many milliseconds. */
  block(milliseconds: number): Promise<void>;
  dispose(): Promise<void>;
};

/** Deadlines are counted where the caller is. For adapters whose two sides have an event loop each. */
export function deadlineConformance(name: string, factory: () => Promise<BlockableBus>): void {
  describe(`${name} counts deadlines where the caller is`, () => {
    let tested: BlockableBus;
    beforeEach(async () => {
      tested = await factory();
    });
    afterEach(() => tested.dispose());

    test('a request with a timeout of 500 ms settles at about 500 ms while the other side is blocked for 3 s', async () => {
      const { bus, block } = tested;
      await expect(bus.request('shop.order.get.v1', { ids: [1] })).resolves.toEqual({ orders: [] });
      await block(3_000);
      const started = performance.now();
      const late = bus.request('shop.order.get.v1', { ids: [1] }, { timeout: 500 });
      await expect(late).rejects.toMatchObject({ name: 'BusError', code: 'timeout' });
      const took = performance.now() - started;
      expect(took).toBeGreaterThan(450);
      expect(took).toBeLessThan(1_500);
      await expect(bus.request('shop.order.get.v1', { ids: [1] }, { timeout: 10_000 })).resolves.toEqual({
        orders: [],
      });
    });
  });
}
