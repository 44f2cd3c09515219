// A server with results made up, which it must not give away.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>

#include "cairn/view/server.hpp"
#include "cairn/view/test/client.hpp"

namespace cairn::view::test {

inline const std::string token = "0123456789abcdef0123456789abcdef";
inline const std::string secret = "SECRET";

// Says what was asked; a broken frame, and an answer that is large.
class Made : public Result {
 public:
  int frames() const override { return 10; }
  int bodies() const override { return 4; }
  std::string cast() const override { return secret + " cast"; }
  Expected<std::string> timeline(int from) override {
    if (from > frames()) return Error{"no such frame"};
    return secret + " timeline " + std::to_string(from);
  }
  Expected<std::string> frame(int k) const override {
    if (k == 7) return Error{"frames/x: cannot be read"};
    return secret + " frame " + std::to_string(k);
  }
  Expected<std::string> contacts(int k) const override { return secret + " contacts " + std::to_string(k); }
  Expected<std::string> steps(int points) const override {
    if (points == 2) return std::string(large, 'x');
    return secret + " steps " + std::to_string(points);
  }
  Expected<std::string> path(int body, int points) const override {
    return secret + " path " + std::to_string(body) + " " + std::to_string(points);
  }
  static constexpr std::size_t large = std::size_t{64} << 20;
};

class ViewServer : public testing::Test {
 protected:
  void SetUp() override {
    ServerOptions options;
    options.token = token, options.connections = 8;
    options.request_seconds = 0.4, options.answer_seconds = 0.8;
    auto made = Server::make(std::make_unique<Made>(), secret + " page", options);
    ASSERT_TRUE(made) << made.error();
    server_.emplace(std::move(*made));
    port_ = server_->port(), host_ = "127.0.0.1:" + std::to_string(port_);
    thread_ = std::thread([this] { server_->run(); });
  }
  void TearDown() override {
    if (!server_) return;
    expect_alive();
    server_->stop();
    thread_.join();
  }

  std::string request(const std::string& target, const std::string& more = "",
                      const std::string& method = "GET") const {
    return method + " " + target + " HTTP/1.1\r\nHost: " + host_ + "\r\nConnection: close\r\n" + more + "\r\n";
  }
  Reply get(const std::string& below, const std::string& more = "") const {
    return ask(port_, request("/" + token + "/" + below, more));
  }
  void expect_alive() const {
    const Reply reply = get("cast");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, secret + " cast");
  }
  // Nothing of the results, whatever the answer.
  int refused(const std::string& bytes, const std::string& what) const {
    const Reply reply = ask(port_, bytes);
    EXPECT_NE(reply.status, 200) << what;
    EXPECT_EQ((reply.head + reply.body).find(secret), std::string::npos) << what;
    EXPECT_EQ(reply.head.find("Access-Control"), std::string::npos) << what;
    return reply.status;
  }
  int refused_target(const std::string& target) const { return refused(request(target), target); }

  std::optional<Server> server_;
  std::thread thread_;
  int port_ = 0;
  std::string host_;
};

}  // namespace cairn::view::test
