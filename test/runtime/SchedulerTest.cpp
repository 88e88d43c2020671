// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/Scheduler.h"
#include <atomic>
#include <chrono>
#include <future>
#include <gtest/gtest.h>

using namespace vx::rt;
using namespace std::chrono_literals;

namespace {

/// Collects the order in which operations ran.
class Log {
public:
  Operation operation(int id) {
    return {[this, id] { add(id); }, nullptr, false};
  }
  Operation hostOperation(int id) {
    return {[this, id] { add(id); }, nullptr, true};
  }
  void add(int id) {
    std::lock_guard lock(mutex);
    ids.push_back(id);
  }
  std::vector<int> take() {
    std::lock_guard lock(mutex);
    return std::exchange(ids, {});
  }

private:
  std::mutex mutex;
  std::vector<int> ids;
};

/// A host function that waits until it is opened.
class Gate {
public:
  Operation operation() {
    return {[this] { opened.get_future().wait(); }, nullptr, true};
  }
  void open() { opened.set_value(); }

private:
  std::promise<void> opened;
};

} // namespace

TEST(Scheduler, AStreamRunsInOrder) {
  Scheduler scheduler;
  Log log;
  auto stream = scheduler.createStream(true, 0);
  std::vector<int> expected;
  for (int i = 0; i < 200; ++i) {
    scheduler.enqueue(stream, i % 3 ? log.operation(i) : log.hostOperation(i));
    expected.push_back(i);
  }
  scheduler.wait(*stream);
  EXPECT_EQ(log.take(), expected);
  EXPECT_TRUE(scheduler.isIdle(*stream));
}

TEST(Scheduler, WorkRunsWithoutAnybodyWaiting) {
  Scheduler scheduler;
  std::promise<void> ran;
  scheduler.enqueue(scheduler.legacyStream(), {[&] { ran.set_value(); }, nullptr, false});
  EXPECT_EQ(ran.get_future().wait_for(10s), std::future_status::ready);
}

TEST(Scheduler, StreamsDoNotHoldUpEachOther) {
  Scheduler scheduler;
  Gate gate;
  Log log;
  auto first = scheduler.createStream(true, 0), second = scheduler.createStream(true, 0);
  scheduler.enqueue(first, gate.operation());
  scheduler.enqueue(first, log.operation(1));
  scheduler.enqueue(second, log.operation(2));
  scheduler.wait(*second);
  EXPECT_EQ(log.take(), std::vector{2});
  EXPECT_FALSE(scheduler.isIdle(*first));
  gate.open();
  scheduler.wait(*first);
  EXPECT_EQ(log.take(), std::vector{1});
}

TEST(Scheduler, TheLegacyStreamWaitsForBlockingStreams) {
  Scheduler scheduler;
  Gate gate;
  Log log;
  auto blocking = scheduler.createStream(true, 0), free = scheduler.createStream(false, 0);
  scheduler.enqueue(blocking, gate.operation());
  scheduler.enqueue(blocking, log.operation(1));
  scheduler.enqueue(scheduler.legacyStream(), log.operation(2));
  scheduler.enqueue(free, log.operation(3));
  scheduler.wait(*free);
  EXPECT_EQ(log.take(), std::vector{3}) << "a non-blocking stream waits for no other";
  EXPECT_FALSE(scheduler.isIdle(*scheduler.legacyStream()));
  gate.open();
  scheduler.waitForAll();
  EXPECT_EQ(log.take(), (std::vector{1, 2}));
}

TEST(Scheduler, BlockingStreamsWaitForTheLegacyStream) {
  Scheduler scheduler;
  Gate gate;
  Log log;
  auto blocking = scheduler.createStream(true, 0);
  scheduler.enqueue(scheduler.legacyStream(), gate.operation());
  scheduler.enqueue(blocking, log.operation(1));
  std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(log.take().empty());
  gate.open();
  scheduler.waitForAll();
  EXPECT_EQ(log.take(), std::vector{1});
}

TEST(Scheduler, EventsOrderStreams) {
  Scheduler scheduler;
  Gate gate;
  Log log;
  auto producer = scheduler.createStream(false, 0), consumer = scheduler.createStream(false, 0);
  auto ticket = std::make_shared<EventTicket>();
  scheduler.enqueue(producer, gate.operation());
  scheduler.enqueue(producer, log.operation(1));
  scheduler.enqueue(producer, {nullptr, nullptr, false, ticket});
  scheduler.enqueue(consumer, {nullptr, ticket, false});
  scheduler.enqueue(consumer, log.operation(2));
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(scheduler.isDone(*ticket));
  EXPECT_TRUE(log.take().empty());
  gate.open();
  scheduler.wait(*ticket);
  scheduler.wait(*consumer);
  EXPECT_EQ(log.take(), (std::vector{1, 2}));
}

TEST(Scheduler, EventsOfAnotherSchedulerOrderStreams) {
  Scheduler here, there;
  Gate gate;
  Log log;
  auto ticket = std::make_shared<EventTicket>(), last = std::make_shared<EventTicket>();
  here.enqueue(here.legacyStream(), {nullptr, ticket, false});
  here.enqueue(here.legacyStream(), log.operation(2));
  here.enqueue(here.legacyStream(), {nullptr, nullptr, false, last});
  there.enqueue(there.legacyStream(), gate.operation());
  there.enqueue(there.legacyStream(), log.operation(1));
  there.enqueue(there.legacyStream(), {nullptr, nullptr, false, ticket});
  std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(log.take().empty());
  gate.open();
  there.wait(*last);
  EXPECT_TRUE(last->isDone());
  EXPECT_EQ(log.take(), (std::vector{1, 2}));
}

TEST(Scheduler, AnEventOutlivesASchedulerThatWaitsForIt) {
  auto ticket = std::make_shared<EventTicket>();
  {
    Scheduler gone;
    ticket->addListener({});
    std::thread waiter([&] { gone.wait(*ticket); });
    Scheduler there;
    there.enqueue(there.legacyStream(), {nullptr, nullptr, false, ticket});
    waiter.join();
  }
  EXPECT_TRUE(ticket->complete().empty());
}

TEST(Scheduler, AnOperationMayLendTheDevice) {
  Scheduler scheduler;
  int inside = 0;
  scheduler.runAndWait(scheduler.legacyStream(), [&] {
    scheduler.withoutDevice([&] {
      std::thread other([&] { scheduler.withDevice([&] { ++inside; }); });
      other.join();
    });
    scheduler.withDevice([&] { ++inside; });
  });
  EXPECT_EQ(inside, 2);
}

TEST(Scheduler, AnEventHappensWhenItsOperationLeavesTheStream) {
  Scheduler scheduler;
  auto stream = scheduler.createStream(true, 0);
  auto ticket = std::make_shared<EventTicket>();
  bool early = false;
  // The end of the function object is the last that is seen of an operation from outside.
  auto atItsEnd = [&](void *) { early |= scheduler.isDone(*ticket); };
  std::shared_ptr<void> sentinel(&early, atItsEnd);
  scheduler.enqueue(
      stream, {[&, sentinel = std::move(sentinel)] { atItsEnd(nullptr); }, nullptr, false, ticket});
  scheduler.wait(*ticket);
  EXPECT_TRUE(scheduler.isIdle(*stream));
  EXPECT_FALSE(early);
}

TEST(Scheduler, PrioritiesComeFirst) {
  Scheduler scheduler;
  Gate gate;
  Log log;
  auto low = scheduler.createStream(true, 0), high = scheduler.createStream(true, -5);
  scheduler.enqueue(scheduler.legacyStream(), gate.operation());
  scheduler.enqueue(low, log.operation(1));
  scheduler.enqueue(high, log.operation(2));
  gate.open();
  scheduler.waitForAll();
  EXPECT_EQ(log.take(), (std::vector{2, 1}));
}

TEST(Scheduler, DeviceOperationsNeverOverlap) {
  Scheduler scheduler;
  std::atomic<int> inside{0}, worst{0}, total{0};
  auto body = [&] {
    worst = std::max(worst.load(), ++inside);
    std::this_thread::sleep_for(50us);
    --inside;
    ++total;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      auto stream = scheduler.createStream(false, 0);
      for (int i = 0; i < 50; ++i) {
        scheduler.enqueue(stream, {body, nullptr, false});
        if (i % 5 == 0)
          scheduler.runAndWait(stream, body);
        if (i % 7 == 0)
          scheduler.withDevice(body);
      }
      scheduler.wait(*stream);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(worst, 1);
  EXPECT_EQ(total, 4 * (50 + 10 + 8));
}

TEST(Scheduler, WhoAsksForTheDeviceGetsItBetweenOperations) {
  Scheduler scheduler;
  std::atomic<int> ran{0};
  auto slow = [&] {
    std::this_thread::sleep_for(1ms);
    ++ran;
  };
  for (int i = 0; i < 500; ++i)
    scheduler.enqueue(scheduler.legacyStream(), {slow, nullptr, false});
  while (ran == 0)
    std::this_thread::yield();
  int seen = scheduler.withDevice([&] { return ran.load(); });
  EXPECT_LT(seen, 500);
  scheduler.waitForAll();
  EXPECT_EQ(ran, 500);
}

TEST(Scheduler, AStreamThatIsLongEnoughHoldsUpWhoAddsToIt) {
  Scheduler scheduler;
  auto first = scheduler.createStream(false, 0), second = scheduler.createStream(false, 0);
  std::atomic<int> ran{0};
  int longest = 0;
  for (int i = 0; i < 20000; ++i) {
    scheduler.enqueue(i % 2 ? first : second, {[&] { ++ran; }, nullptr, false});
    longest = std::max(longest, i + 1 - ran.load());
  }
  EXPECT_LT(longest, 4000);
  scheduler.waitForAll();
  EXPECT_EQ(ran, 20000);
}

TEST(Scheduler, AStreamThatCannotGoOnHoldsUpNobody) {
  Scheduler scheduler;
  Gate gate;
  int ran = 0;
  auto held = scheduler.createStream(false, 0), other = scheduler.createStream(false, 0);
  scheduler.enqueue(held, gate.operation());
  for (int i = 0; i < 5000; ++i) {
    scheduler.enqueue(held, {[&] { ++ran; }, nullptr, false});
    scheduler.enqueue(other, {[] {}, nullptr, false});
  }
  EXPECT_EQ(ran, 0);
  gate.open();
  scheduler.wait(*held);
  EXPECT_EQ(ran, 5000);
}

TEST(Scheduler, AnOperationMayAddToALongStream) {
  Scheduler scheduler;
  int ran = 0;
  scheduler.runAndWait(scheduler.legacyStream(), [&] {
    auto stream = scheduler.createStream(false, 0);
    for (int i = 0; i < 3000; ++i)
      scheduler.enqueue(stream, {[&] { ++ran; }, nullptr, false});
  });
  scheduler.waitForAll();
  EXPECT_EQ(ran, 3000);
}

TEST(Scheduler, ThreadsThatWaitForEachOthersWorkAllGetOn) {
  Scheduler scheduler;
  std::vector<std::thread> threads;
  std::atomic<int> ran{0};
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      auto stream = scheduler.createStream(t % 2 == 0, -t);
      for (int i = 0; i < 300; ++i) {
        auto ticket = std::make_shared<EventTicket>();
        scheduler.enqueue(stream, {[&] { ++ran; }, nullptr, i % 3 == 0});
        scheduler.enqueue(stream, {nullptr, nullptr, false, ticket});
        scheduler.enqueue(scheduler.legacyStream(), {[&] { ++ran; }, ticket, i % 5 == 0});
        if (i % 4 == 0)
          scheduler.wait(*ticket);
        else if (i % 4 == 1)
          scheduler.wait(*stream);
        else if (i % 4 == 2)
          scheduler.withDevice([&] { ++ran; });
        else
          while (!scheduler.isDone(*ticket))
            std::this_thread::yield();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  scheduler.waitForAll();
  EXPECT_EQ(ran, 6 * (600 + 75));
}

TEST(Scheduler, TheEndWaitsForAllWork) {
  Log log;
  {
    Scheduler scheduler;
    for (int i = 0; i < 20; ++i)
      scheduler.enqueue(scheduler.createStream(true, 0), log.operation(i));
  }
  EXPECT_EQ(log.take().size(), 20u);
}

TEST(Scheduler, HostFunctionsKnowWhatTheyAre) {
  Scheduler scheduler;
  bool inHost = false, inDevice = true;
  scheduler.enqueue(scheduler.legacyStream(),
                    {[&] { inHost = Scheduler::inHostFunction(); }, nullptr, true});
  scheduler.enqueue(scheduler.legacyStream(),
                    {[&] { inDevice = Scheduler::inHostFunction(); }, nullptr, false});
  scheduler.waitForAll();
  EXPECT_TRUE(inHost);
  EXPECT_FALSE(inDevice);
  EXPECT_FALSE(Scheduler::inHostFunction());
}
