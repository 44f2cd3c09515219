// What the server answers, to whom, and how it starts and stops.
#include "cairn/view/server.hpp"

#include <set>

#include "cairn/view/page.hpp"
#include "cairn/view/test/served.hpp"

namespace cairn::view {
namespace {

using namespace test;

// --- what is answered ------------------------------------------------------------------------------------------------

TEST_F(ViewServer, every_path_is_answered) {
  EXPECT_EQ(server_->url(), "http://" + host_ + "/" + token + "/");
  const Reply page = get("");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, secret + " page");
  EXPECT_NE(page.head.find("Content-Type: text/html; charset=utf-8\r\n"), std::string::npos);
  EXPECT_NE(page.head.find("Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; "),
            std::string::npos);
  const std::vector<std::pair<std::string, std::string>> known{{"cast", " cast"},
                                                               {"timeline", " timeline 0"},
                                                               {"timeline?from=10", " timeline 10"},
                                                               {"frame/0", " frame 0"},
                                                               {"frame/9", " frame 9"},
                                                               {"contacts/3", " contacts 3"},
                                                               {"steps?points=50", " steps 50"},
                                                               {"path/3?points=20", " path 3 20"}};
  for (const auto& [path, body] : known) {
    const Reply reply = get(path);
    EXPECT_EQ(reply.status, 200) << path;
    EXPECT_EQ(reply.body, secret + body) << path;
    for (const char* line : {"Content-Type: application/octet-stream", "Cache-Control: no-store", "Connection: close",
                             "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
                             "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
                             "X-Frame-Options: DENY"})
      EXPECT_NE(reply.head.find(std::string(line) + "\r\n"), std::string::npos) << line;
    EXPECT_EQ(reply.head.find("Access-Control"), std::string::npos);
  }
}

TEST_F(ViewServer, an_address_for_once_leads_to_the_page_once) {
  ServerOptions options;
  options.token = token;
  auto server = Server::make(std::make_unique<Made>(), secret + " page", options);
  ASSERT_TRUE(server) << server.error();
  const std::string host = "127.0.0.1:" + std::to_string(server->port()), start = "http://" + host;
  const std::string url = server->url_for_once();
  ASSERT_TRUE(url.starts_with(start + "/")) << url;
  EXPECT_EQ(url.find(token), std::string::npos);
  std::thread thread([&] { server->run(); });
  const auto get = [&](const std::string& target, const std::string& method = "GET") {
    return ask(server->port(), method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
  };
  const std::string once = url.substr(start.size());
  EXPECT_EQ(get(once + "cast").status, 404);  // it leads to the page alone
  EXPECT_EQ(get(once, "HEAD").status, 404);   // one that looks ahead does not use it up
  const Reply led = get(once);
  EXPECT_EQ(led.status, 303);
  EXPECT_NE(led.head.find("Location: /" + token + "/\r\n"), std::string::npos) << led.head;
  EXPECT_EQ(get(once).status, 404);
  EXPECT_EQ(get("//").status, 404);
  EXPECT_EQ(get("/" + token + "/").status, 200);
  server->stop();
  thread.join();
}

TEST_F(ViewServer, head_has_no_body) {
  const Reply reply = ask(port_, request("/" + token + "/cast", "", "HEAD"));
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "");
  EXPECT_NE(reply.head.find("Content-Length: 11\r\n"), std::string::npos);
}

TEST_F(ViewServer, a_connection_serves_several_requests) {
  const Client client(port_);
  for (int k = 0; k < 5; ++k) {
    client.send("GET /" + token + "/frame/" + std::to_string(k) + " HTTP/1.1\r\nHost: " + host_ + "\r\n\r\n");
    std::string bytes;
    const std::string expected = secret + " frame " + std::to_string(k);
    while (bytes.find(expected) == std::string::npos && client.receive(bytes, 5, bytes.size() + 1)) {
    }
    EXPECT_EQ(parsed(bytes).body, expected);
  }
}

TEST_F(ViewServer, errors_of_the_results_are_told) {
  const Reply reply = get("frame/7");
  EXPECT_EQ(reply.status, 500);
  EXPECT_EQ(reply.body, "frames/x: cannot be read\n");
}

// --- hosts, origins --------------------------------------------------------------------------------------------------

TEST_F(ViewServer, only_its_own_hosts_are_served) {
  const std::string port = ":" + std::to_string(port_),
                    line = "GET /" + token + "/cast HTTP/1.1\r\nConnection: close\r\n";
  for (const std::string& host : {"127.0.0.1" + port, "localhost" + port, "[::1]" + port})
    EXPECT_EQ(ask(port_, line + "Host: " + host + "\r\n\r\n").status, 200) << host;
  const std::vector<std::string> wrong{"evil.example" + port,
                                       "evil.example",
                                       "127.0.0.1",
                                       "localhost",
                                       "[::1]",
                                       "127.0.0.1:1",
                                       "localhost:80",
                                       "localhost." + port,
                                       "127.0.0.1." + port,
                                       "LOCALHOST" + port,
                                       "127.0.0.1.evil.example" + port,
                                       "localhost.evil.example" + port,
                                       "evil.example#127.0.0.1" + port,
                                       "user@127.0.0.1" + port,
                                       "127.0.0.1" + port + "@evil.example",
                                       "127.1" + port,
                                       "2130706433" + port,
                                       "0x7f.0.0.1" + port,
                                       "0177.0.0.1" + port,
                                       "0.0.0.0" + port,
                                       "[::]" + port,
                                       "::1" + port,
                                       "[::ffff:127.0.0.1]" + port,
                                       "127.0.0.1" + port + "0",
                                       "127.0.0.1" + port + " ,evil",
                                       "127.0.0.1" + port + "/",
                                       "http://127.0.0.1" + port,
                                       "127.0.0.2" + port,
                                       "",
                                       "127.0.0.1%00" + port,
                                       "10.0.0.1" + port,
                                       "a" + std::string(3000, 'b') + port};
  for (const std::string& host : wrong) EXPECT_EQ(refused(line + "Host: " + host + "\r\n\r\n", host), 403) << host;
  EXPECT_EQ(refused(line + "\r\n", "no host"), 403);
  EXPECT_EQ(refused(line + "Host: " + host_ + "\r\nHost: " + host_ + "\r\n\r\n", "two"), 403);
  EXPECT_EQ(refused(line + "Host: " + host_ + "\r\nHost: evil.example\r\n\r\n", "two"), 403);
  EXPECT_EQ(refused(line + "Host: evil.example\r\nHost: " + host_ + "\r\n\r\n", "two"), 403);
  EXPECT_EQ(refused(line + "Host: evil.example\r\nX-Forwarded-Host: " + host_ + "\r\n\r\n", "forwarded"), 403);
  EXPECT_EQ(refused("GET /" + token + "/cast HTTP/1.0\r\n\r\n", "HTTP/1.0"), 403);
}

TEST_F(ViewServer, only_its_own_page_may_ask) {
  const std::string port = ":" + std::to_string(port_);
  for (const std::string& origin : {"http://127.0.0.1" + port, "http://localhost" + port})
    EXPECT_EQ(get("cast", "Origin: " + origin + "\r\n").status, 200) << origin;
  for (const std::string& origin :
       {std::string("null"), std::string("http://evil.example"), "http://evil.example" + port,
        "https://127.0.0.1" + port, std::string("http://127.0.0.1"), std::string("http://localhost:1"),
        "file://127.0.0.1" + port, "127.0.0.1" + port, "http://127.0.0.1" + port + "/",
        "http://127.0.0.1" + port + ".evil.example", std::string(), "HTTP://127.0.0.1" + port})
    EXPECT_EQ(refused(request("/" + token + "/cast", "Origin: " + origin + "\r\n"), origin), 403) << origin;
  const std::string good = "Origin: http://" + host_ + "\r\n";
  EXPECT_EQ(refused(request("/" + token + "/cast", good + good), "two origins"), 403);
}

TEST_F(ViewServer, other_sites_may_lead_to_the_page_alone) {
  const auto from = [](const std::string& site, const std::string& dest) {
    return "Sec-Fetch-Site: " + site + "\r\nSec-Fetch-Dest: " + dest + "\r\n";
  };
  EXPECT_EQ(get("", from("none", "document")).status, 200);
  EXPECT_EQ(get("cast", from("same-origin", "empty")).status, 200);
  EXPECT_EQ(get("", from("cross-site", "document")).status, 200);
  for (const char* site : {"cross-site", "same-site", "odd"})
    for (const char* dest : {"empty", "script", "image", "iframe", "object", "style", "embed", "frame"})
      EXPECT_EQ(refused(request("/" + token + "/cast", from(site, dest)), dest), 403) << site << " " << dest;
  EXPECT_EQ(refused(request("/" + token + "/", "Sec-Fetch-Site: cross-site\r\n"), "no destination"), 403);
}

// --- making, stopping ------------------------------------------------------------------------------------------------

TEST(ViewServerMaking, tokens_are_random_and_ports_free) {
  std::set<std::string> urls;
  for (int k = 0; k < 20; ++k) {
    const auto server = Server::make(std::make_unique<Made>(), "", {});
    ASSERT_TRUE(server) << server.error();
    const test::Url url(server->url());
    EXPECT_EQ(url.host, "127.0.0.1:" + std::to_string(server->port()));
    EXPECT_EQ(url.path.size(), 34u);
    urls.insert(url.path);
  }
  EXPECT_EQ(urls.size(), 20u);
}

TEST(ViewServerMaking, bad_options_are_refused) {
  const auto error = [](const ServerOptions& options) {
    const auto server = Server::make(std::make_unique<Made>(), "", options);
    return server ? "" : server.error();
  };
  ServerOptions wrong_address, wrong_port, wrong_token, taken;
  wrong_address.address = "localhost", wrong_port.port = 70000, wrong_token.token = "a/b";
  EXPECT_NE(error(wrong_address).find("expected a numeric one"), std::string::npos);
  EXPECT_NE(error(wrong_port).find("expected 0 to 65535"), std::string::npos);
  EXPECT_NE(error(wrong_token).find("letters and digits"), std::string::npos);
  const auto first = Server::make(std::make_unique<Made>(), "", {});
  ASSERT_TRUE(first);
  taken.port = first->port();
  EXPECT_NE(error(taken).find("in use"), std::string::npos);
}

TEST(ViewServerMaking, a_large_answer_arrives_whole) {
  auto server = Server::make(std::make_unique<Made>(), "", {});
  ASSERT_TRUE(server) << server.error();
  std::thread thread([&] { server->run(); });
  const Reply reply = fetch(Url(server->url()), "steps?points=2");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body.size(), Made::large);
  server->stop();
  thread.join();
}

// Of all addresses: numeric hosts alone, which no name of another site can stand for.
TEST(ViewServerMaking, all_addresses_take_numeric_hosts) {
  ServerOptions options;
  options.address = "0.0.0.0", options.token = token;
  auto server = Server::make(std::make_unique<Made>(), "", options);
  ASSERT_TRUE(server) << server.error();
  std::thread thread([&] { server->run(); });
  const std::string port = ":" + std::to_string(server->port()),
                    line = "GET /" + token + "/cast HTTP/1.1\r\nConnection: close\r\nHost: ";
  for (const std::string& host : {"10.1.2.3" + port, "[fe80::1]" + port, "127.0.0.1" + port, "localhost" + port})
    EXPECT_EQ(ask(server->port(), line + host + "\r\n\r\n").status, 200) << host;
  for (const std::string& host : {"evil.example" + port, std::string("10.1.2.3"), "10.1.2.3.evil" + port,
                                  "10.1.2" + port, "[fe80::1%eth0]" + port, "1.2.3.4" + port + "1"})
    EXPECT_EQ(ask(server->port(), line + host + "\r\n\r\n").status, 403) << host;
  server->stop();
  thread.join();
}

TEST(ViewServerMaking, stops_when_told_before_during_and_by_interruption) {
  auto server = Server::make(std::make_unique<Made>(), "", {});
  ASSERT_TRUE(server);
  int asked = 0;
  const double begin = seconds_now();
  server->run([&] { return ++asked > 3; });
  EXPECT_LT(seconds_now() - begin, 3);
  EXPECT_GE(seconds_now() - begin, 0.4);  // asked a few times a second, not all the time
  std::thread thread([&] { server->run(); });
  ::usleep(20000);
  server->stop();
  thread.join();
  server->run();  // stopped already: returns
}

TEST(ViewPage, is_html_inside_the_program) {
  EXPECT_TRUE(page().starts_with("<!doctype html>") || page().starts_with("<!DOCTYPE html>"));
  EXPECT_NE(page().find("</html>"), std::string_view::npos);
}

}  // namespace
}  // namespace cairn::view
