// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The LSU's answers in a core's link: their order, and which of them wake the core.

#include "simulator/timing/mem/MemoryLink.h"
#include <gtest/gtest.h>

namespace vx::sim {
namespace {

struct Link : testing::Test {
  Link() { link.awaited.assign(2, {}); }

  MemoryLink link;
};

TEST_F(Link, OnlyTheLastAnswerOfALoadWakes) {
  link.awaited[1] = {8, 0};
  link.answer(LsuResponse{1, 4}, 20);
  EXPECT_EQ(link.nextAnswer, kNever);
  EXPECT_EQ(link.coreDue, kNever);
  link.answer(LsuResponse{1, 4}, 23);
  EXPECT_EQ(link.nextAnswer, 23u);
  EXPECT_EQ(link.coreDue, 23u);
  EXPECT_EQ(link.lsuResponses.size(), 2u);
}

TEST_F(Link, TheLastAnswerIsTheOneThatCanBeTakenLast) {
  link.awaited[0] = {8, 0};
  link.answer(LsuResponse{0, 4}, 30);
  link.answer(LsuResponse{0, 4}, 25); // overtakes
  EXPECT_EQ(link.nextAnswer, 30u);
}

TEST_F(Link, ALaterLoadDoesNotHideAnEarlierOne) {
  link.awaited[0] = {1, 0};
  link.awaited[1] = {1, 0};
  link.answer(LsuResponse{0, 1}, 12);
  link.answer(LsuResponse{1, 1}, 11);
  EXPECT_EQ(link.nextAnswer, 11u);
  link.lsuResponses.pop();
  link.completed.pop();
  link.updateNextAnswer();
  EXPECT_EQ(link.nextAnswer, 12u);
}

TEST_F(Link, AnswersThatNoLoadAwaitsWake) {
  link.answer(LsuResponse{2, 1}, 9);
  EXPECT_EQ(link.nextAnswer, 9u);
  link.clear();
  EXPECT_EQ(link.nextAnswer, kNever);
  link.awaited.clear();
  link.answer(LsuResponse{0, 1}, 7);
  EXPECT_EQ(link.nextAnswer, 7u);
}

TEST_F(Link, LocalAnswersComeFirstInTheirCycle) {
  link.answer(LsuResponse{0, 1}, 5);
  link.answer(LsuResponse{0, 2}, 6);
  link.answerFirst(LsuResponse{1, 3}, 6);
  link.answerFirst(LsuResponse{1, 4}, 7);
  std::vector<uint32_t> slots;
  for (; !link.lsuResponses.empty(); link.lsuResponses.pop())
    slots.push_back(link.lsuResponses.front().slots);
  EXPECT_EQ(slots, (std::vector<uint32_t>{1, 3, 2, 4}));
}

} // namespace
} // namespace vx::sim
